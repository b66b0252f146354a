// A checksum of two bytes has one preimage among those with an odd first byte.
// input: 2
#include <byway.h>

int main(void)
{
    unsigned char m[2];
    byway_make_symbolic(m, sizeof m, "m");
    unsigned short sum = 0xffff;
    for (int i = 0; i < 2; i++) {
        sum ^= (unsigned short)(m[i] << 8);
        for (int bit = 0; bit < 8; bit++)
            sum = (unsigned short)(sum << 1 ^ (0x1021 & -(sum >> 15)));
    }
    if (sum != 0x1234)
        return 0; // TARGET reached
    if (m[0] % 2 == 0)
        return 1; // TARGET unreachable
    return 2; // TARGET reached
}
