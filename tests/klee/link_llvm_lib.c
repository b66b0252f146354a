/* --link-llvm-lib adds bitcode, and archives of it.
 *
 * run: printf 'int helper(int x) { return x == 3; }' > h.c; clang-22 -emit-llvm -c -g h.c -o h.bc; klee --link-llvm-lib=h.bc %.bc
 * expect: KLEE: done: completed paths = 2
 * run: llvm-ar-22 rc h.a h.bc 2>/dev/null || /usr/lib/llvm-22/bin/llvm-ar rc h.a h.bc; klee -link-llvm-lib=h.a %.bc
 * expect: KLEE: done: completed paths = 2
 * run: klee --link-llvm-lib=missing.bc %.bc
 * expect: KLEE: ERROR: there is no file 'missing.bc' to link
 * code: 1
 */
#include <klee/klee.h>

int helper(int x);

int main(void)
{
	int a;
	klee_make_symbolic(&a, sizeof a, "a");
	if (helper(a))
		return 1;
	return 0;
}
