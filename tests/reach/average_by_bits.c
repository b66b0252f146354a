// The average of two bytes without a wider type.
// input: 2
#include <byway.h>

int main(void)
{
    unsigned char x, y;
    byway_make_symbolic(&x, sizeof x, "x");
    byway_make_symbolic(&y, sizeof y, "y");
    unsigned char average = (x & y) + ((x ^ y) >> 1);
    if (average != (x + y) / 2)
        return 1; // TARGET unreachable
    unsigned char wrong = (unsigned char)(x + y) / 2;
    if (wrong != average)
        return 2; // TARGET reached
    return 0;
}
