/* --rng-initial-seed makes a run repeatable.
 *
 * run: for d in one two; do klee --rng-initial-seed=7 --search=random-state --output-dir=$d %.bc; done; cmp one/test000005.ktest two/test000005.ktest && echo same
 * expect: same
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
