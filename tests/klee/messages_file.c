/* messages.txt has what was printed.
 *
 * run: klee %.bc; cat klee-last/messages.txt
 * expect: KLEE: output directory is "
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
