/* --stats-write-interval: rows of run.stats.
 *
 * run: klee --stats-write-interval=100ms --max-time=1s %.bc; python3 -c "import sqlite3; print('many' if sqlite3.connect('klee-last/run.stats').execute('select count(*) from stats').fetchone()[0] > 3 else 'few')"
 * expect: many
 */
#include <klee/klee.h>

int main(void)
{
	unsigned n, sum = 0;
	klee_make_symbolic(&n, sizeof n, "n");
	for (unsigned i = 0; i < n; i++)
		sum += i;
	return sum & 1;
}
