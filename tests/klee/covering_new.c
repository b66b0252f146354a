/* --only-output-states-covering-new writes few tests.
 *
 * run: klee --only-output-states-covering-new --search=dfs %.bc
 * expect: completed paths = 16
 * reject: generated tests = 16
 */
#include <klee/klee.h>

int main(void)
{
	unsigned char x[4];
	int ones = 0;
	klee_make_symbolic(x, sizeof x, "x");
	for (int i = 0; i < 4; i++)
		if (x[i] == 'a')
			ones++;
	return ones;
}
