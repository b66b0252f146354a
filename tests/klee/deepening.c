/* Long paths wait: a loop without end does not keep a depth-first searcher from the other paths.
 *
 * run: klee --search=dfs --use-iterative-deepening-search=max-time --max-instructions=30000000 %.bc
 * expect: KLEE: done: completed paths = 3
 * run: cat klee-last/info
 * expect: deepening(interleave(dfs))
 * run: klee --search=dfs --use-batching-search --use-iterative-deepening-time-search --max-instructions=30000000 %.bc
 * expect: KLEE: done: completed paths = 3
 * run: klee --use-iterative-deepening-search=moon %.bc
 * code: 1
 * expect: KLEE: ERROR: 'moon' is no value of --use-iterative-deepening-search
 */
#include <klee/klee.h>

int main(void)
{
	unsigned char a;
	volatile unsigned n = 0;
	klee_make_symbolic(&a, sizeof a, "a");
	if (a > 10)
		for (;;)
			n++;
	if (a == 1)
		return 1;
	if (a == 2)
		return 2;
	return a == 3 ? 3 : 4;
}
