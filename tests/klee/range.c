/* klee_range: an integer between bounds.
 *
 * run: klee %.bc
 * expect: KLEE: done: completed paths = 3
 */
#include <klee/klee.h>

int main(void)
{
	int a = klee_range(0, 3, "a");
	if (a == 0)
		return 0;
	if (a == 1)
		return 1;
	return 2;
}
