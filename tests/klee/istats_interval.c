/* run.istats is written while the program is explored, too.
 *
 * run: klee --max-time=6s --stats-write-interval=200ms --istats-write-interval=500ms %.bc & sleep 4; ls klee-last/; wait
 * expect: run.istats
 * expect: KLEE: done: total instructions
 * run: klee --istats-write-interval=often %.bc
 * code: 1
 * expect: KLEE: ERROR: 'often' is no value of --istats-write-interval
 */
#include <klee/klee.h>

int main(void)
{
	unsigned char a;
	volatile unsigned n = 0;
	klee_make_symbolic(&a, sizeof a, "a");
	if (a == 7)
		return 1;
	for (;;)
		n++;
}
