/* A second free: .free.err.
 *
 * run: klee %.bc; ls klee-last
 * expect: memory error: invalid pointer: free
 * expect: .free.err
 */
#include <stdlib.h>

int main(void)
{
	char *p = malloc(4);
	free(p);
	free(p);
	return 0;
}
