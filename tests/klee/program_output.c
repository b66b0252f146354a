/* What the program prints appears on the terminal.
 *
 * run: klee %.bc 2>/dev/null
 * expect: hello from the program
 * run: klee %.bc 2>&1 >/dev/null
 * expect: and from its errors
 */
#include <stdio.h>

int main(void)
{
	puts("hello from the program");
	fputs("and from its errors\n", stderr);
	return 0;
}
