/* --write-no-tests writes none.
 *
 * run: klee --write-no-tests %.bc; ls klee-last
 * expect: KLEE: done: generated tests = 0
 * expect: completed paths = 3
 * reject: test000001
 * run: klee --no-output %.bc
 * expect: generated tests = 0
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
