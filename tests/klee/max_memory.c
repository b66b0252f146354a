/* --max-memory is in megabytes.
 *
 * run: klee --max-memory=500 %.bc
 * expect: KLEE: done: completed paths = 3
 * run: klee --max-memory=0 %.bc
 * expect: KLEE: done: completed paths = 3
 * run: klee --max-memory=1GB %.bc
 * expect: KLEE: ERROR: '1GB' is no value of --max-memory
 * code: 1
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
