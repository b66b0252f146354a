/* A long loop over the 128 bits of the input, without a branch on them: the bit selects what is added.
   One input in 32,768 has the state of the test. */
#include <byway.h>

int main(void)
{
	unsigned char bytes[16];
	unsigned state = 1;

	byway_make_symbolic(bytes, sizeof bytes, "bytes");
	for (int i = 0; i < 1024; i++) {
		unsigned bit = bytes[i / 8 % 16] >> i % 8 & 1;

		state = (state ^ state >> 15) * 1664525 + 1013904223 * bit;
	}
	if ((state >> 8 & 32767) == 4711)
		return 1;
	return 0;
}
