/* A 64-bit hash of 16 bytes by 32 rounds of multiply-xor; one input in 1,024 passes each test. */
#include <byway.h>

int main(void)
{
	unsigned char bytes[16];
	unsigned long hash = 0xcbf29ce484222325ul;

	byway_make_symbolic(bytes, sizeof bytes, "bytes");
	for (int round = 0; round < 32; round++) {
		for (int i = 0; i < 16; i++) {
			hash = (hash ^ bytes[i]) * 0x100000001b3ul;
			hash ^= hash >> 29;
		}
	}
	if ((hash & 1023) == 77)
		return 1;
	if (hash >> 54 == 99)
		return 2;
	return 0;
}
