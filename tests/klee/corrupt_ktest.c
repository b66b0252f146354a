/* A damaged test is refused with a reason, and loses nothing.
 *
 * run: echo garbage > bad.ktest; klee --seed-file=bad.ktest %.bc
 * expect: bad.ktest
 * expect: KLEE: done: completed paths = 3
 * run: ktest-tool bad.ktest
 * expect: bad.ktest
 * code: 2
 */
#include <klee/klee.h>

int main(void)
{
	int a;
	klee_make_symbolic(&a, sizeof a, "a");
	if (a == 123456)
		return 1;
	if (a > 5)
		return 2;
	return 0;
}
