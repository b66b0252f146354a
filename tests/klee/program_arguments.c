/* What follows the program belongs to it, options included.
 *
 * run: klee %.bc --max-tests=1 -x y
 * expect: 4 arguments, the first --max-tests=1
 * run: ktest-tool klee-last/test000001.ktest
 * expect: '--max-tests=1', '-x', 'y'
 */
#include <stdio.h>

int main(int argc, char **argv)
{
	printf("%d arguments, the first %s\n", argc, argv[1]);
	return 0;
}
