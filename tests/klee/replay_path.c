/* A file of branches that the program cannot take, one that is no file of branches, and one that ends
 * before the path does.
 *
 * run: klee --write-paths --search=dfs %.bc; cp klee-last/test000001.path path; sed 's/1/x/;s/0/1/;s/x/0/' path > wrong
 * run: klee --replay-path=wrong %.bc
 * expect: KLEE: WARNING: a path leaves the replayed path at its branch number 1
 * expect: KLEE: done: generated tests = 0
 * run: echo 3 > bad; klee --replay-path=bad %.bc
 * code: 1
 * expect: KLEE: ERROR: line 1 of 'bad' is no branch
 * run: klee --replay-path=none %.bc
 * code: 1
 * expect: KLEE: ERROR: cannot read 'none'
 * run: : > empty; klee --replay-path=empty %.bc
 * expect: KLEE: done: generated tests = 3
 * run: klee --replay-path=path --seed-dir=klee-last %.bc
 * code: 1
 * expect: cannot be used with
 */
#include <klee/klee.h>

int main(void)
{
	int a;
	klee_make_symbolic(&a, sizeof a, "a");
	if (a == 123)
		return 3;
	if (a < 0)
		return 1;
	return 2;
}
