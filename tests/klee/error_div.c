/* A division by zero: .div.err, whatever --check-div-zero says.
 *
 * run: klee %.bc; ls klee-last
 * expect: divide by zero
 * expect: .div.err
 * run: klee --check-div-zero=true %.bc
 * expect: divide by zero
 */
#include <klee/klee.h>

int main(void)
{
	int a;
	klee_make_symbolic(&a, sizeof a, "a");
	return 100 / a > 5;
}
