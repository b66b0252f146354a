/* --max-stack-frames limits nested calls.
 *
 * run: klee --max-stack-frames=50 %.bc
 * expect: KLEE: ERROR:
 * run: klee %.bc
 * expect: KLEE: done: completed paths = 1
 * reject: KLEE: ERROR:
 */
#include <klee/klee.h>

static int depth(int n)
{
	return n ? 1 + depth(n - 1) : 0;
}

int main(void)
{
	return depth(200) == 200;
}
