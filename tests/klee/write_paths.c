/* Each test has the branches of its path, all of them and those where it forked. Replaying them gives
 * that path again, and only it.
 *
 * run: klee --write-paths --write-sym-paths --search=dfs %.bc; ls klee-last | grep -c '^test.*path$'
 * expect: 6
 * run: cat klee-last/test*.sym.path | tr '\n' ' '
 * expect: 1
 * expect: 0 1
 * expect: 0 0
 * run: grep -qvx '[01]' klee-last/*.path
 * code: 1
 * run: for n in 1 2 3; do test $(wc -l < klee-last/test00000$n.path) -gt $(wc -l < klee-last/test00000$n.sym.path) || echo short; done
 * reject: short
 * run: for n in 1 2 3; do klee --output-dir=again$n --write-paths --replay-path=klee-last/test00000$n.path %.bc; cmp klee-last/test00000$n.ktest again$n/test000001.ktest || echo other; cmp klee-last/test00000$n.path again$n/test000001.path || echo other; done
 * expect: KLEE: done: generated tests = 1
 * reject: generated tests = 2
 * reject: other
 */
#include <klee/klee.h>

int main(void)
{
	int a, b = 0, i;
	klee_make_symbolic(&a, sizeof a, "a");
	for (i = 0; i < 5; i++)
		b += i;
	if (a == 123)
		return b;
	if (a < 0)
		return 1;
	return 2;
}
