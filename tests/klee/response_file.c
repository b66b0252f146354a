/* @FILE stands for the words of a file.
 *
 * run: printf -- "--max-tests=1 '%.bc'" > args; klee @args
 * expect: KLEE: done: generated tests = 1
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
