/* --write-test-info: the time a test took.
 *
 * run: klee --write-test-info %.bc; cat klee-last/test000001.info
 * expect: Time to generate test case: 
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
