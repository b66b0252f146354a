/* --search=random-path finds every path.
 *
 * run: klee --search=random-path %.bc
 * expect: KLEE: done: completed paths = 16
 * run: cat klee-last/info
 * expect: BEGIN searcher description
 * expect: random-path
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
