/* Options have one dash or two, and values after = or as the next word.
 *
 * run: klee -max-tests=1 %.bc
 * expect: generated tests = 1
 * run: klee --max-tests 1 %.bc
 * expect: generated tests = 1
 * run: klee -max-tests 1 %.bc
 * expect: generated tests = 1
 * run: klee -max-tests
 * expect: KLEE: ERROR: the option --max-tests needs a value
 * code: 1
 */
#include <klee/klee.h>

int main(void)
{
	int a;
	klee_make_symbolic(&a, sizeof a, "a");
	if (a == 0)
		return 0;
	if (a < 0)
		return 1;
	return 2;
}
