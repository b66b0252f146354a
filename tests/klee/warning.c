/* klee_warning and klee_print_expr are shown, and are in warnings.txt.
 *
 * run: klee %.bc
 * expect: KLEE: WARNING: 
 * expect: look here
 * run: cat klee-last/warnings.txt
 * expect: look here
 * run: klee --warnings-only-to-file %.bc
 * reject: look here
 * run: cat klee-last/warnings.txt
 * expect: look here
 */
#include <klee/klee.h>

int main(void)
{
	klee_warning("look here");
	return 0;
}
