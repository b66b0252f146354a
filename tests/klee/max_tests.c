/* --max-tests ends the exploration.
 *
 * run: klee --max-tests=2 %.bc
 * expect: KLEE: done: generated tests = 2
 * run: klee --stop-after-n-tests=1 %.bc
 * expect: KLEE: done: generated tests = 1
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
