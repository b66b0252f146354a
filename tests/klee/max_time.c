/* --max-time ends the exploration; states that are left give tests.
 *
 * run: klee --max-time=1s %.bc
 * expect: KLEE: HaltTimer invoked
 * expect: KLEE: halting execution, dumping remaining states
 * expect: incomplete: reached the time limit
 * run: ls klee-last
 * expect: .early
 * run: klee --max-time=1x %.bc
 * expect: KLEE: ERROR: '1x' is no value of --max-time
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
