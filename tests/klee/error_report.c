/* klee_report_error: .report_error.err.
 *
 * run: klee %.bc; ls klee-last
 * expect: KLEE: ERROR: 
 * expect: too rich
 * expect: .report_error.err
 */
#include <klee/klee.h>

int main(void)
{
	int a;
	klee_make_symbolic(&a, sizeof a, "a");
	if (a == 1000000)
		klee_report_error(__FILE__, __LINE__, "too rich", "rich.err");
	return 0;
}
