// Conversion of doubles to unsigned 64-bit numbers above the signed range.
// paths: 3
// exit-codes: 0 1 2
#include <byway.h>

int main(void)
{
    double d;
    byway_make_symbolic(&d, sizeof d, "d");
    byway_assume((d >= 1.0) & (d < 18446744073709551616.0));
    unsigned long u = (unsigned long)d;
    if (u == 0)
        return 9;
    if (u == 1ul << 63)
        return 1;
    if (u > 1ul << 63)
        return 2;
    return 0;
}
