/* A path condition on floats has no KQuery text: the file says so.
 *
 * run: klee --write-kqueries %.bc; cat klee-last/test*.kquery
 * expect: # no text: KQuery has no floats
 */
#include <klee/klee.h>

int main(void)
{
	double d;
	klee_make_symbolic(&d, sizeof d, "d");
	if (d * d > 2.5)
		return 1;
	return 0;
}
