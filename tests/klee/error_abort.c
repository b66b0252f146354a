/* A call of abort: .abort.err.
 *
 * run: klee %.bc; ls klee-last
 * expect: abort failure
 * expect: .abort.err
 */
#include <stdlib.h>
#include <klee/klee.h>

int main(void)
{
	int a;
	klee_make_symbolic(&a, sizeof a, "a");
	if (a == 3)
		abort();
	return 0;
}
