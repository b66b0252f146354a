/* The stack of an error has a line for each call, innermost first.
 *
 * run: klee %.bc; cat klee-last/*.err
 * expect: in inner() at /
 * expect: in outer() at /
 * expect: in main() at /
 */
#include <klee/klee.h>

static int inner(int *p, unsigned i)
{
	return p[i];
}

static int outer(unsigned i)
{
	int t[2] = {0};
	return inner(t, i);
}

int main(void)
{
	unsigned i;
	klee_make_symbolic(&i, sizeof i, "i");
	return outer(i);
}
