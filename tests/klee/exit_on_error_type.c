/* --exit-on-error-type stops at errors of a type alone.
 *
 * run: klee --exit-on-error-type=Assert %.bc
 * expect: KLEE: EXITING ON ERROR:
 * expect: Error: ASSERTION FAIL: at != 7
 * code: 1
 * run: klee --exit-on-error-type=Div %.bc
 * expect: KLEE: done
 * reject: EXITING
 * run: klee --exit-on-error-type=Nonsense %.bc
 * expect: 'Nonsense' is no type of error
 * expect: Assert
 * code: 1
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
