/* Compares eight bytes of input: the smallest program that random testing hardly gets through. */
#include "compare.h"

#include <byway.h>

int main(void)
{
	unsigned char bytes[8];

	byway_make_symbolic(bytes, sizeof bytes, "bytes");
	return compare(bytes);
}
