/* The stack of an error has a line for each call, innermost first, with the values of arguments.
 *
 * run: klee %.bc 7; cat klee-last/*.err
 * expect: in inner(p=
 * expect: , i=symbolic) at /
 * expect: in outer(tag=171, i=symbolic, far=18446744073709551615) at /
 * expect: in main(argc=2, argv=
 */
#include <klee/klee.h>

static int inner(int *p, unsigned i)
{
	return p[i];
}

static int outer(unsigned char tag, unsigned i, long far)
{
	int t[2] = {0};
	return inner(t, i) + tag + (far == 0);
}

int main(int argc, char **argv)
{
	unsigned i;
	klee_make_symbolic(&i, sizeof i, "i");
	return outer(0xab, i, -1) + argc + (argv == 0);
}
