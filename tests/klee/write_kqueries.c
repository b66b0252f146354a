/* --write-kqueries: the path condition as KQuery.
 *
 * run: klee --write-kqueries %.bc; cat klee-last/test*.kquery
 * expect: array a[4] : w32 -> w8 = symbolic
 * expect: (query [
 * expect: (Eq 
 * run: klee --write-pcs %.bc; ls klee-last
 * expect: test000001.kquery
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
