// The solver finds a message that matches a checksum.
// paths: 3
// exit-codes: 0 1 2
#include <byway.h>

static unsigned short crc(const unsigned char *bytes, int count)
{
    unsigned short sum = 0xffff;
    for (int i = 0; i < count; i++) {
        sum ^= (unsigned short)(bytes[i] << 8);
        for (int bit = 0; bit < 8; bit++)
            sum = (unsigned short)(sum << 1 ^ (0x1021 & -(sum >> 15)));
    }
    return sum;
}

int main(void)
{
    unsigned char message[3];
    byway_make_symbolic(message, sizeof message, "message");
    if (crc(message, 3) == 0x1234) {
        if (message[0] > 'A')
            return 1;
        return 2;
    }
    return 0;
}
