/* --write-cov: the lines that a test is first to cover.
 *
 * run: klee --write-cov %.bc; cat klee-last/*.cov
 * expect: write_cov.c:13
 * expect: write_cov.c:14
 * expect: write_cov.c:16
 */
#include <klee/klee.h>

int main(void)
{
	int a;
	klee_make_symbolic(&a, sizeof a, "a");
	if (a > 5)
		a = 1;
	return 0;
}
