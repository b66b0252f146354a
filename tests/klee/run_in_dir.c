/* --run-in-dir explores from another directory; what is named on the command line is found from here.
 *
 * run: mkdir there; klee --run-in-dir=there %.bc
 * expect: KLEE: done: completed paths = 3
 * run: ls -d klee-out-0 klee-last
 * expect: klee-out-0
 * run: klee --run-in-dir=nowhere %.bc
 * expect: KLEE: ERROR: cannot change to the directory
 * code: 1
 * run: ls
 * reject: klee-out-1
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
