/* run.stats counts forks by what was decided.
 *
 * run: klee %.bc; python3 -c "import sqlite3; c=sqlite3.connect('klee-last/run.stats'); print(c.execute('select BranchesConditional, BranchesSwitch > 0, BranchesCall > 0, BranchesMemOp > 0, BranchesResolvePointer > 0, BranchesAlloc, ExternalCalls from stats order by rowid desc limit 1').fetchone())"
 * expect: KLEE: done: completed paths
 * expect: (1, 1, 1, 1, 1, 0, 0)
 */
#include <klee/klee.h>

static int one(int x) { return x + 1; }
static int two(int x) { return x * 2; }

static int (*const table[2])(int) = {one, two};
static int t[4] = {1, 2, 3, 4}, u[4] = {5, 6, 7, 8};
static int *const both[2] = {t, u};

int main(void)
{
	unsigned char a;
	klee_make_symbolic(&a, sizeof a, "a");
	if (a < 64)
		return table[a & 1](a);
	switch (a & 31) {
	case 0:
		return 1;
	case 7:
		return 2;
	case 20:
		return t[a >> 5];
	case 21:
		return *both[a >> 5 & 1];
	default:
		return 4;
	}
}
