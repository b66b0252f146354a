/* A shift beyond the width: .overshift.err, unless --check-overshift=false.
 *
 * run: klee %.bc; ls klee-last
 * expect: overshift error
 * expect: .overshift.err
 * run: klee --check-overshift=false %.bc
 * reject: overshift error
 */
#include <klee/klee.h>

int main(void)
{
	unsigned a;
	klee_make_symbolic(&a, sizeof a, "a");
	return (1u << a) == 8;
}
