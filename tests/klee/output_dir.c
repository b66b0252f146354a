/* --output-dir names the directory, which must not exist.
 *
 * run: klee --output-dir=results %.bc
 * expect: KLEE: output directory is "
 * run: ls results
 * expect: test000003.ktest
 * run: ls
 * reject: klee-last
 * run: klee --output-dir=results %.bc
 * expect: KLEE: ERROR: cannot create
 * code: 1
 * run: klee -output-dir other %.bc
 * expect: KLEE: done: completed paths = 3
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
