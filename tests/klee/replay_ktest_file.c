/* --replay-ktest-file runs a test again and explores nothing.
 *
 * run: klee --output-dir=first %.bc; klee --replay-ktest-file=first/test000001.ktest %.bc
 * expect: KLEE: replaying: first/test000001.ktest
 * expect: (1/1)
 * expect: KLEE: done: completed paths = 1
 * run: klee --replay-ktest-dir=first %.bc
 * expect: (3/3)
 * expect: KLEE: done: completed paths = 3
 * run: klee --replay-ktest-file=first/test000001.ktest --seed-dir=first %.bc
 * expect: KLEE: ERROR: --replay-ktest-file cannot be used with --seed-dir
 * code: 1
 */
#include <klee/klee.h>

int main(void)
{
	int a;
	klee_make_symbolic(&a, sizeof a, "a");
	if (a == 123456)
		return 1;
	if (a > 5)
		return 2;
	return 0;
}
