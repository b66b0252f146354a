/* One test for each error location, or for each path with one.
 *
 * run: klee %.bc; ls klee-last
 * expect: KLEE: NOTE: now ignoring this error at this location
 * expect: KLEE: done: generated tests = 3
 * run: ls klee-last | grep -c assert.err
 * expect: 1
 * run: klee --emit-all-errors %.bc
 * expect: generated tests = 4
 * reject: now ignoring
 * run: ls klee-last | grep -c assert.err
 * expect: 2
 */
#include <klee/klee.h>

int main(void)
{
	unsigned char x, y;
	klee_make_symbolic(&x, sizeof x, "x");
	klee_make_symbolic(&y, sizeof y, "y");
	int odd = 0;
	if (x > 100)
		odd = 1;
	klee_assert(y != 3);
	return odd;
}
