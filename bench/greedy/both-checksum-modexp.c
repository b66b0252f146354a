/* Behind the checksum of a header, a residue of a power that one input in 10,000 has. */
#include <byway.h>

#define MODULUS 4294967291ul

static unsigned long power(unsigned long base, unsigned exponent)
{
	unsigned long result = 1;

	for (; exponent; exponent >>= 1) {
		if (exponent & 1)
			result = result * base % MODULUS;
		base = base * base % MODULUS;
	}
	return result;
}

int main(void)
{
	struct {
		unsigned char header[8];
		unsigned sum;
		unsigned parity;
		unsigned key;
	} message;
	unsigned sum = 7, parity = 0;

	byway_make_symbolic(&message, sizeof message, "message");
	for (int i = 0; i < 8; i++) {
		sum = sum * 31 + message.header[i];
		parity = (parity << 1 | parity >> 31) ^ message.header[i];
	}
	if (message.sum != sum || message.parity != parity)
		return 1;
	if (power(message.key, 4294967279u) % 9973 == 7)
		return 2;
	return 0;
}
