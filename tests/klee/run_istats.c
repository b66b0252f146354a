/* run.istats is a profile that callgrind's tools read.
 *
 * run: klee %.bc; head -40 klee-last/run.istats
 * expect: version: 1
 * expect: positions: instr line
 * expect: fn=main
 * expect: fl=
 * run: klee --output-istats=false %.bc; ls klee-last
 * reject: run.istats
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
