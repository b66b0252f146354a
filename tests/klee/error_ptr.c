/* A pointer out of bounds: .ptr.err.
 *
 * run: klee %.bc; cat klee-last/*.ptr.err
 * expect: error_ptr.c:19: memory error: out of bound pointer
 * expect: Error: memory error: out of bound pointer
 * expect: File: /
 * expect: Line: 19
 * expect: Stack: 
 * expect: in main()
 * expect: Info: 
 */
#include <klee/klee.h>

int main(void)
{
	int t[4] = {0};
	unsigned i;
	klee_make_symbolic(&i, sizeof i, "i");
	return t[i];
}
