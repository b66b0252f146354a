/* --max-instructions ends the exploration.
 *
 * run: klee --max-instructions=20000 %.bc
 * expect: reached the limit on instructions
 * expect: done: total instructions = 20
 * run: klee --max-instructions=0 --max-tests=2 %.bc
 * expect: generated tests = 2
 */
#include <klee/klee.h>

int main(void)
{
	unsigned n, sum = 0;
	klee_make_symbolic(&n, sizeof n, "n");
	for (unsigned i = 0; i < n; i++)
		sum += i;
	return sum & 1;
}
