/* A program without main is refused.
 *
 * run: klee %.bc
 * expect: KLEE: ERROR: 
 * expect: main
 * code: 1
 * run: klee --entry-point=start %.bc
 * expect: KLEE: done: completed paths = 2
 */
#include <klee/klee.h>

int start(void)
{
	int a;
	klee_make_symbolic(&a, sizeof a, "a");
	if (a == 3)
		return 1;
	return 0;
}
