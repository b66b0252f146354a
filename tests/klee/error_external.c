/* A function without a body ends its path: .external.err names it.
 *
 * run: klee %.bc; cat klee-last/*.external.err
 * expect: failed external call: nowhere
 * expect: KLEE: ERROR: /
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
