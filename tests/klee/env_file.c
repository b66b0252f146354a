/* --env-file sets the environment of the program.
 *
 * run: printf 'LEVEL=7\n\nNAME=x\n' > env; klee --env-file=env %.bc
 * expect: level 7
 * run: klee --environ env %.bc
 * expect: level 7
 * run: klee %.bc
 * expect: no level
 * run: echo LEVEL > bad; klee --env-file=bad %.bc
 * expect: is not of the form NAME=VALUE
 * code: 1
 * run: klee --env-file=none %.bc
 * expect: KLEE: ERROR: cannot read 'none'
 * code: 1
 */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	const char *level = getenv("LEVEL");
	if (level)
		printf("level %s\n", level);
	else
		puts("no level");
	return 0;
}
