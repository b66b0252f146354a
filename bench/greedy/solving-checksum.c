/* A packet whose weighted sum, modulo 2^32, and exclusive-or have to equal its last words. */
#include <byway.h>

int main(void)
{
	struct {
		unsigned char body[12];
		unsigned sum;
		unsigned parity;
	} packet;
	unsigned sum = 7, parity = 0;

	byway_make_symbolic(&packet, sizeof packet, "packet");
	for (int i = 0; i < 12; i++) {
		sum = sum * 31 + packet.body[i];
		parity = (parity << 1 | parity >> 31) ^ packet.body[i];
	}
	if (packet.sum != sum)
		return 1;
	if (packet.parity != parity)
		return 2;
	if (packet.body[0] + packet.body[11] == 300)
		return 3;
	return 0;
}
