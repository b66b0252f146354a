/* Bitcode comes from standard input, by name or without.
 *
 * run: klee - < %.bc
 * expect: KLEE: done: completed paths = 3
 * run: klee < %.bc
 * expect: KLEE: done: completed paths = 3
 * run: ls
 * expect: klee-out-1
 * run: klee - < /dev/null
 * expect: KLEE: ERROR: standard input has no bitcode
 * code: 1
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
