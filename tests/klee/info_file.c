/* info has the command line, times, searchers and sums.
 *
 * run: klee --max-time=60s %.bc; cat klee-last/info
 * expect: klee --max-time=60s info_file.bc
 * expect: PID: 
 * expect: Started: 20
 * expect: Finished: 20
 * expect: Elapsed: 00:00:
 * expect: END searcher description
 * expect: KLEE: done: explored paths = 3
 * expect: KLEE: done: total queries = 
 * expect: KLEE: done: generated tests = 3
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
