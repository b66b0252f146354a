/* --write-xml-tests: tests in the format of Test-Comp.
 *
 * run: klee --write-xml-tests --xml-metadata-programfile=p.c --xml-metadata-programhash=12ab %.bc; cat klee-last/test*.xml
 * expect: <testcase>
 * expect: <input variable="a" type="a">0</input>
 * run: cat klee-last/metadata.xml
 * expect: <programfile>p.c</programfile>
 * expect: <programhash>12ab</programhash>
 * expect: <producer>Byway</producer>
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
