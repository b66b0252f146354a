// An address whose constant part is far from its object, as where musl prints floats: an
// offset keeps the operand of a division positive, and its quotient is subtracted
// afterwards.
// paths: 3
// exit-codes: 0 1
// faults: out-of-bounds@20
#include <byway.h>

enum { FAR = 16384 };

int main(void)
{
    volatile char before[256] = { 0 };
    unsigned numbers[8] = { 3, 1, 4, 1, 5, 9, 2, 6 };
    volatile char behind[256] = { 0 };
    unsigned char c;
    byway_make_symbolic(&c, sizeof c, "c");
    int i = c;
    unsigned *from = numbers + 1 - FAR;
    unsigned found = from[(i + 9 * FAR) / 9];
    if (found == 9)
        return 1 + before[c] + behind[c];
    return 0;
}
