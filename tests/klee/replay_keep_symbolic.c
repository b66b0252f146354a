/* A replayed test whose bytes are asserted: one path, and its condition has the bytes.
 *
 * run: klee --output-dir=all --search=dfs %.bc
 * expect: KLEE: done: completed paths = 3
 * run: klee --replay-ktest-file=all/test000001.ktest --write-kqueries %.bc; cat klee-last/test000001.kquery
 * expect: KLEE: done: completed paths = 1
 * run: klee --replay-ktest-dir=all --replay-keep-symbolic --write-smt2s %.bc
 * expect: KLEE: done: completed paths = 3
 * expect: KLEE: done: generated tests = 3
 * run: for n in 1 2 3; do cmp all/test00000$n.ktest klee-last/test00000$n.ktest || echo other; done
 * reject: other
 */
#include <klee/klee.h>

int main(void)
{
	int a;
	klee_make_symbolic(&a, sizeof a, "a");
	if (a > 100)
		return 1;
	if (a > 50)
		return 2;
	return 3;
}
