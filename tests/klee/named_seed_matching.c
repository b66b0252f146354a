/* --named-seed-matching is accepted: seeds are matched by name.
 *
 * run: klee --output-dir=first %.bc; klee --named-seed-matching --seed-dir=first --only-seed %.bc
 * expect: KLEE: done: completed paths = 3
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
