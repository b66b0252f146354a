/* Two magic numbers of eight bytes, which are no constants of the program. */
#include <byway.h>

int main(void)
{
	unsigned long words[2];

	byway_make_symbolic(words, sizeof words, "words");
	if ((words[0] ^ 0x5bd1e9955bd1e995ul) == 0x123456789abcdef0ul) {
		if (words[1] - words[0] == 0x0f1e2d3c4b5a6978ul)
			return 1;
		return 2;
	}
	return 0;
}
