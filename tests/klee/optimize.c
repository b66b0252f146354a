/* --optimize explores optimised code: the same behaviour.
 *
 * run: klee --optimize %.bc
 * expect: ASSERTION FAIL: at != 7
 * expect: memory error: out of bound pointer
 * run: ls klee-last
 * expect: optimized.bc
 * run: byway stats klee-last
 * expect: faults        2
 */
#include <klee/klee.h>

int main(void)
{
	int table[4] = {1, 2, 3, 4};
	unsigned at;
	klee_make_symbolic(&at, sizeof at, "at");
	if (at < 10)
		klee_assert(at != 7);
	return table[at];
}
