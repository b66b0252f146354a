/* A failed assertion: .assert.err.
 *
 * run: klee %.bc; ls klee-last
 * expect: ASSERTION FAIL: a != 3
 * expect: .assert.err
 */
#include <assert.h>
#include <klee/klee.h>

int main(void)
{
	int a;
	klee_make_symbolic(&a, sizeof a, "a");
	assert(a != 3);
	return 0;
}
