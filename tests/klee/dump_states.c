/* --dump-states-on-halt: tests of states that did not end.
 *
 * run: klee --max-instructions=30000 %.bc; ls klee-last
 * expect: .early
 * run: klee --max-instructions=30000 --dump-states-on-halt=false %.bc; ls klee-last
 * reject: .early
 * run: klee --max-instructions=30000 --dump-states-on-halt=none %.bc; ls klee-last
 * reject: .early
 * run: klee --dump-states-on-halt=maybe %.bc
 * expect: KLEE: ERROR: 'maybe' is no value of --dump-states-on-halt
 * code: 1
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
