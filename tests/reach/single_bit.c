// A power of two has one bit.
// input: 1
#include <byway.h>

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    int bits = 0;
    for (int i = 0; i < 8; i++)
        bits += x >> i & 1;
    if (x != 0 && (x & (x - 1)) == 0) {
        if (bits != 1)
            return 1; // TARGET unreachable
        return 2; // TARGET reached
    }
    if (bits == 1)
        return 3; // TARGET unreachable
    return 0;
}
