/* KLEE's first tutorial, in its spirit: three paths of a small function.
 *
 * run: klee %.bc
 * expect: KLEE: output directory is
 * expect: KLEE: done: completed paths = 3
 * expect: KLEE: done: partially completed paths = 0
 * expect: KLEE: done: generated tests = 3
 * run: ls klee-last
 * expect: assembly.ll
 * expect: info
 * expect: messages.txt
 * expect: run.istats
 * expect: run.stats
 * expect: test000001.ktest
 * expect: test000002.ktest
 * expect: test000003.ktest
 * expect: warnings.txt
 * reject: test000004.ktest
 * run: readlink klee-last
 * expect: klee-out-0
 */
#include <klee/klee.h>

static int get_sign(int x)
{
	if (x == 0)
		return 0;
	if (x < 0)
		return -1;
	return 1;
}

int main(void)
{
	int a;
	klee_make_symbolic(&a, sizeof a, "a");
	return get_sign(a);
}
