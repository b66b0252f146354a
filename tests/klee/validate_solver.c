/* --debug-validate-solver compares every answer.
 *
 * run: klee --debug-validate-solver %.bc
 * expect: KLEE: done: completed paths = 3
 * run: klee --debug-crosscheck-core-solver=z3 %.bc
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
