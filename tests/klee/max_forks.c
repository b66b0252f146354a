/* --max-forks drops the other cases of later forks.
 *
 * run: klee --max-forks=2 %.bc
 * expect: KLEE: done: completed paths = 3
 * expect: dropped by a limit: raise --max-forks
 * run: klee --max-forks=0 %.bc
 * expect: KLEE: done: completed paths = 1
 * run: klee --max-forks=-1 %.bc
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
