/* The second tutorial, in its spirit: a library function.
 *
 * run: klee %.bc
 * expect: KLEE: done: completed paths = 3
 */
#include <klee/klee.h>

static int my_islower(int x)
{
	if (x >= 'a' && x <= 'z')
		return 1;
	return 0;
}

int main(void)
{
	char c;
	klee_make_symbolic(&c, sizeof c, "input");
	return my_islower(c);
}
