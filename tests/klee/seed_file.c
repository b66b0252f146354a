/* --seed-file follows a test first; --only-seed stops there.
 *
 * run: klee --output-dir=first %.bc; klee --seed-file=first/test000002.ktest %.bc
 * expect: KLEE: done: completed paths = 3
 * run: klee --seed-file=first/test000002.ktest --only-seed --dump-states-on-halt=none %.bc
 * expect: KLEE: done: completed paths = 1
 * expect: followed the seeds
 * run: cmp klee-last/test000001.ktest first/test000002.ktest && echo same
 * expect: same
 * run: klee --seed-file=none.ktest %.bc
 * expect: KLEE: ERROR: cannot read the seed 'none.ktest'
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
