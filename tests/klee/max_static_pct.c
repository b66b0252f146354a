/* Beyond its share of the forks, an instruction follows one case; what is lost is counted.
 *
 * run: klee --max-static-fork-pct=0.2 --max-static-pct-check-delay=10 %.bc
 * expect: KLEE: WARNING: max-fork-share is exceeded at
 * expect: max_static_pct.c:28:
 * expect: incomplete
 * reject: KLEE: done: completed paths = 257
 * run: klee --max-static-cpfork-pct=0.2 --max-static-pct-check-delay=10 %.bc
 * expect: KLEE: WARNING: max-call-path-fork-share is exceeded at
 * run: klee --max-static-solve-pct=0 --max-static-pct-check-delay=1 %.bc
 * expect: KLEE: WARNING: max-solver-share is exceeded at
 * run: klee --max-static-cpsolve-pct=0 --max-static-pct-check-delay=1 %.bc
 * expect: KLEE: WARNING: max-call-path-solver-share is exceeded at
 * run: klee --max-static-fork-pct=0.2 %.bc
 * expect: KLEE: done: completed paths = 257
 * run: klee --max-static-fork-pct=1 --max-static-solve-pct=1. --max-static-pct-check-delay=0 %.bc
 * expect: KLEE: done: completed paths = 257
 * run: klee --max-static-fork-pct=20 %.bc
 * code: 1
 * expect: KLEE: ERROR: '20' is no value of --max-static-fork-pct
 */
#include <klee/klee.h>

static int count(unsigned bits)
{
	int n = 0, i;
	for (i = 0; i < 8; i++)
		if (bits * 2654435761u >> i & 1)
			n++;
	return n;
}

int main(void)
{
	unsigned a, b;
	klee_make_symbolic(&a, sizeof a, "a");
	klee_make_symbolic(&b, sizeof b, "b");
	if (b * 7 == 12345678)
		return 1;
	return count(a) + 2;
}
