/* --exit-on-error stops at the first error, with exit code 1.
 *
 * run: klee --exit-on-error --search=bfs %.bc
 * expect: KLEE: EXITING ON ERROR:
 * expect: Error: 
 * code: 1
 * run: klee %.bc
 * expect: KLEE: done
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
