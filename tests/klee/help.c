/* --help lists the options, --version the version.
 *
 * run: klee --help
 * expect: USAGE: klee [options] <program.bc> <program arguments>...
 * expect: --max-time=<value>
 * expect: --only-output-states-covering-new
 * run: klee -version
 * expect: Byway
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
