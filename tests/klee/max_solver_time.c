/* --max-solver-time limits a query.
 *
 * run: klee --max-solver-time=10s %.bc
 * expect: KLEE: done: completed paths = 3
 * run: klee --max-solver-time=0s %.bc
 * expect: KLEE: done: completed paths = 3
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
