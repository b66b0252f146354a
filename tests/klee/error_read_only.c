/* A write to a constant: .read_only.err.
 *
 * run: klee %.bc; ls klee-last
 * expect: memory error: object read only
 * expect: .read_only.err
 */
#include <klee/klee.h>

static const char text[] = "text";

int main(void)
{
	*(char *)(volatile char *)text = 'x';
	return text[0];
}
