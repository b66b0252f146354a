/* --external-calls: a pure function of the host is called with concrete arguments, and reported once; symbolic
 * arguments end the path, or are fixed with =all; =none calls none.
 *
 * run: klee %.bc; cat klee-last/*.external.err
 * expect: KLEE: WARNING ONCE: calling external: nextup(4607182418800017408)
 * expect: external call with symbolic argument: nextup
 * expect: KLEE: done: completed paths = 3
 * run: klee --external-calls=all %.bc
 * expect: KLEE: done: completed paths = 3
 * expect: incomplete:
 * run: klee --external-calls=none %.bc; cat klee-last/*.external.err
 * expect: failed external call: nextup
 * run: klee --external-calls=some %.bc || echo failed
 * expect: 'some' is no value of --external-calls
 * expect: failed
 */
#include <klee/klee.h>
#include <assert.h>

double nextup(double);

int main(void)
{
	int a;
	klee_make_symbolic(&a, sizeof a, "a");
	if (a == 1) {
		assert(nextup(1.0) > 1.0);
		assert(nextup(1.0) == 1.0 + 0x1p-52);
	} else if (a == 2) {
		return 1;
	} else {
		assert(nextup(a) > a);
	}
	return 0;
}
