/* Every test is readable by ktest-tool, and by Byway.
 *
 * run: klee %.bc; ktest-tool klee-last/test000001.ktest klee-last/test000003.ktest
 * expect: ktest file : 'klee-last/test000001.ktest'
 * expect: args       : ['ktest_files.bc']
 * expect: num objects: 1
 * expect: object 0: name: 'a'
 * expect: object 0: size: 4
 * run: byway show klee-last/test000002.ktest
 * expect: object 1 a, 4 bytes
 * run: byway replay klee-last
 * expect: 3
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
