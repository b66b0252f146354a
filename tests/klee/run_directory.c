/* klee-last is a run directory of Byway, too.
 *
 * run: klee --max-tests=1 --dump-states-on-halt=none %.bc; byway stats klee-last
 * expect: 1 exit
 * run: byway run --resume klee-last --max-tests 9
 * expect: 3 exit
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
