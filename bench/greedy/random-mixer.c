/* MurmurHash3's finaliser over two words, chained; one input in 4,096 passes each test. */
#include <byway.h>

static unsigned long mix(unsigned long word)
{
	word = (word ^ word >> 33) * 0xff51afd7ed558ccdul;
	word = (word ^ word >> 33) * 0xc4ceb9fe1a85ec53ul;
	return word ^ word >> 33;
}

int main(void)
{
	unsigned long words[2], state;

	byway_make_symbolic(words, sizeof words, "words");
	state = mix(words[0] * words[1] + mix(words[1]));
	state = mix(state * (words[0] | 1) + words[1]);
	if ((state >> 20 & 4095) == 1234)
		return 1;
	if ((state >> 40 & 4095) == 321)
		return 2;
	return 0;
}
