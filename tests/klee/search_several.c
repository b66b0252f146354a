/* Several --search take turns; --use-batching-search keeps to a state.
 *
 * run: klee --search=random-path --search=nurs:covnew %.bc
 * expect: KLEE: done: completed paths = 16
 * run: klee --search=dfs --use-batching-search --batch-instructions=100 %.bc
 * expect: KLEE: done: completed paths = 16
 * run: cat klee-last/info
 * expect: batch:100(dfs)
 * run: klee --search=sideways %.bc
 * expect: KLEE: ERROR:
 * code: 1
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
