/* --seed-dir follows the tests of a directory; --only-replay-seeds follows nothing else.
 *
 * run: klee --output-dir=first %.bc; klee --seed-dir=first --only-replay-seeds %.bc
 * expect: KLEE: done: completed paths = 3
 * run: mkdir empty; klee --seed-dir=empty %.bc
 * expect: KLEE: ERROR: 'empty' has no .ktest file
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
