/* A symbolic file and symbolic standard input.
 *
 * run: klee --posix-runtime %.bc --sym-files 1 2 --sym-stdin 1
 * expect: KLEE: done: completed paths = 
 * reject: KLEE: ERROR
 * run: ktest-tool klee-last/test000001.ktest
 * expect: 'A-data'
 * expect: 'stdin'
 */
#include <stdio.h>

int main(void)
{
	FILE *f = fopen("A", "r");
	if (!f)
		return 3;
	int c = getc(f);
	if (c == 'x')
		return getchar() == 'y';
	return 2;
}
