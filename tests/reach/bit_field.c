// A bit-field of three bits keeps only these.
// input: 1
#include <byway.h>

struct flags { unsigned low : 3, high : 5; };

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    struct flags f = {x, x >> 3};
    if (f.low > 7)
        return 1; // TARGET unreachable
    if (f.low == 7 && f.high == 21)
        return 2; // TARGET reached
    if ((f.high << 3 | f.low) != x)
        return 3; // TARGET unreachable
    return 0;
}
