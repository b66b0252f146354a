/* --function-alias calls another function.
 *
 * run: klee --function-alias=slow:fast %.bc
 * expect: fast
 * reject: slow
 * run: klee %.bc
 * expect: slow
 * run: klee --function-alias=slow:none %.bc
 * expect: KLEE: ERROR: the program has no function 'none'
 * code: 1
 */
#include <stdio.h>

void fast(void)
{
	puts("fast");
}

void slow(void)
{
	puts("slow");
}

int main(void)
{
	slow();
	return 0;
}
