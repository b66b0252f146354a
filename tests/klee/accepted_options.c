/* Options about KLEE's inside are accepted and noted in messages.txt.
 *
 * run: klee --libc=uclibc --posix-runtime --use-cex-cache --solver-backend=z3 --switch-type=simple --kdalloc=false %.bc
 * expect: KLEE: done: completed paths = 3
 * reject: WARNING
 * run: cat klee-last/messages.txt
 * expect: --libc is accepted without effect
 * expect: --use-cex-cache is accepted without effect
 * expect: --solver-backend is accepted
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
