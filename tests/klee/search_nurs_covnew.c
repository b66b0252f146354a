/* --search=nurs:covnew finds every path.
 *
 * run: klee --search=nurs:covnew %.bc
 * expect: KLEE: done: completed paths = 16
 * run: cat klee-last/info
 * expect: BEGIN searcher description
 * expect: nurs:covnew
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
