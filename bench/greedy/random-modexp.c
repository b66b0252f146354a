/* Modular exponentiation, as in RSA; one input in 10,000 has the residues of each test. */
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
	unsigned base;
	unsigned long result;

	byway_make_symbolic(&base, sizeof base, "base");
	result = power(base, 4294967279u);
	if (result % 10007 == 7)
		return 1;
	if (result / 42949673 % 97 == 50 && result % 103 == 9)
		return 2;
	return 0;
}
