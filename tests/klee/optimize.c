/* --optimize explores optimised code: the same behaviour.
 *
 * run: klee --optimize %.bc
 * expect: KLEE: done: completed paths = 3
 * run: ls klee-last
 * expect: optimized.bc
 * run: byway stats klee-last
 * expect: 3 exit
 */
#include <klee/klee.h>

int main(void)
{
	int a;
	klee_make_symbolic(&a, sizeof a, "a");
	if (a == 0)
		return 0;
	if (a < 0)
		return 1;
	return 2;
}
