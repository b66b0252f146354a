/* run.stats is an SQLite database with KLEE's columns.
 *
 * run: klee %.bc; python3 -c "import sqlite3; c=sqlite3.connect('klee-last/run.stats'); print(c.execute('select Instructions, NumBranches, FullBranches, NumStates, Queries > 0, CoveredInstructions > 0, UserTime, WallTime from stats order by rowid desc limit 1').fetchone()[1:6])"
 * expect: (2, 2, 0, 1, 1)
 * run: klee-stats klee-last
 * expect: Instrs
 * run: klee-stats --print-all klee-last
 * expect: ICov(%)
 * run: klee --output-stats=false %.bc; ls klee-last
 * reject: run.stats
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
