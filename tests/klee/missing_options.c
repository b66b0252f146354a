/* Options that change the result elsewhere and have no effect yet are warned of.
 *
 * run: klee --libcxx --use-merge %.bc
 * expect: KLEE: WARNING: --libcxx has no effect
 * expect: KLEE: WARNING: --use-merge has no effect
 * run: cat klee-last/warnings.txt
 * expect: --use-merge has no effect
 * run: klee --use-merge=false %.bc
 * reject: WARNING
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
