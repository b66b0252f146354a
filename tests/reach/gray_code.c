// Decoding the Gray code of a number gives the number, and neighbours differ in one bit.
// input: 1
#include <byway.h>

static unsigned char encode(unsigned char x) { return x ^ x >> 1; }

static unsigned char decode(unsigned char code)
{
    code ^= code >> 4;
    code ^= code >> 2;
    return code ^ code >> 1;
}

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    if (decode(encode(x)) != x)
        return 1; // TARGET unreachable
    unsigned char step = encode(x) ^ encode(x + 1);
    if (step == 0 || (step & (step - 1)) != 0)
        return 2; // TARGET unreachable
    if (encode(x) == x && x > 1)
        return 3; // TARGET unreachable
    if (encode(x) == 0xff)
        return 4; // TARGET reached
    return 0;
}
