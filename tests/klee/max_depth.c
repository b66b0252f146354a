/* --max-depth limits the forks on a path.
 *
 * run: klee --max-depth=2 %.bc
 * expect: KLEE: done: completed paths = 4
 * run: klee --max-depth=0 %.bc
 * expect: KLEE: done: completed paths = 16
 */
#include <klee/klee.h>

int main(void)
{
	unsigned char x[4];
	int ones = 0;
	klee_make_symbolic(x, sizeof x, "x");
	for (int i = 0; i < 4; i++)
		if (x[i] == 'a')
			ones++;
	return ones;
}
