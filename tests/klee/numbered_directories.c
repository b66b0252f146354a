/* klee-out-N counts from zero, and klee-last follows.
 *
 * run: klee %.bc; klee %.bc; readlink klee-last
 * expect: klee-out-1
 * run: ls
 * expect: klee-out-0
 * reject: klee-out-2
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
