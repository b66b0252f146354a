/* --write-smt2s: the path condition as SMT-LIB, which a solver accepts.
 *
 * run: klee --write-smt2s %.bc; cat klee-last/test*.smt2
 * expect: (set-logic QF_BV)
 * expect: (check-sat)
 * expect: |a[0]|
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
