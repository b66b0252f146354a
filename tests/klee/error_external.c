/* A function without a body ends its path: .exec.err names it.
 *
 * run: klee %.bc; cat klee-last/*.exec.err
 * expect: nowhere
 * expect: KLEE: done: completed paths = 2
 */
#include <klee/klee.h>

int nowhere(int);

int main(void)
{
	int a;
	klee_make_symbolic(&a, sizeof a, "a");
	if (a == 3)
		return nowhere(a);
	return 0;
}
