/* assembly.ll is the program as text, final.bc as bitcode.
 *
 * run: klee --output-module %.bc; cat klee-last/assembly.ll
 * expect: define dso_local i32 @main
 * run: llvm-dis-22 -o - klee-last/final.bc 2>/dev/null || /usr/lib/llvm-22/bin/llvm-dis -o - klee-last/final.bc
 * expect: @main
 * run: klee --output-source=false %.bc; ls klee-last
 * reject: assembly.ll
 */
#include <klee/klee.h>

int main(void)
{
	int a;
	klee_make_symbolic(&a, sizeof a, "a");
	if (a == 0)
		return 0;
	if (a < 0)
		return 1;
	return 2;
}
