/* Bad input gets a clear error, and no directory is left.
 *
 * run: head -c 300 %.bc > cut.bc; klee cut.bc
 * expect: KLEE: ERROR: 
 * code: 1
 * run: klee missing.bc
 * expect: KLEE: ERROR: cannot load 'missing.bc'
 * code: 1
 * run: : > empty.bc; klee empty.bc
 * expect: KLEE: ERROR: 
 * code: 1
 * run: ls
 * reject: klee-out
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
