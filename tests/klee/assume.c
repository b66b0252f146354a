/* klee_assume: inputs that violate it are no paths.
 *
 * run: klee %.bc
 * expect: KLEE: done: completed paths = 2
 * reject: KLEE: ERROR
 */
#include <klee/klee.h>

int main(void)
{
	int a;
	klee_make_symbolic(&a, sizeof a, "a");
	klee_assume(a > 0);
	if (a < 5)
		return 1;
	return 0;
}
