/* --use-query-log writes the queries.
 *
 * run: klee --use-query-log=all:smt2 %.bc; ls klee-last/queries | head -1
 * expect: .smt2
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
