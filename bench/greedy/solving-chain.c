/* Equalities of sums of words, each behind the one before. */
#include <byway.h>

int main(void)
{
	unsigned word[6];

	byway_make_symbolic(word, sizeof word, "word");
	if ((word[0] ^ word[1]) != 0x13579bdf)
		return 1;
	if (word[1] + word[2] != 0x2468ace0)
		return 2;
	if (5 * word[2] - word[3] != 0x0badcafe)
		return 3;
	if ((word[3] << 7 | word[3] >> 25) != word[4])
		return 4;
	if (word[4] - word[5] != word[0] + 99)
		return 5;
	return 0;
}
