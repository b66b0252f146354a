/* An unknown option is an error, with the one that was probably meant.
 *
 * run: klee --max-tim=3s %.bc
 * expect: unknown command line argument '--max-tim'
 * expect: did you mean '--max-time'?
 * code: 1
 * run: ls
 * reject: klee-out-0
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
