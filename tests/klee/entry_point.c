/* --entry-point starts in another function.
 *
 * run: klee --entry-point=other %.bc
 * expect: KLEE: done: completed paths = 2
 * run: klee --entry-point other %.bc
 * expect: KLEE: done: completed paths = 2
 * run: klee %.bc
 * expect: KLEE: done: completed paths = 1
 * run: klee --entry-point=missing %.bc
 * expect: KLEE: ERROR: the program has no function 'missing'
 * code: 1
 */
#include <klee/klee.h>

int other(int argc, char **argv)
{
	int a;
	klee_make_symbolic(&a, sizeof a, "a");
	if (a == argc)
		return 1;
	return 0;
}

int main(void)
{
	return 0;
}
