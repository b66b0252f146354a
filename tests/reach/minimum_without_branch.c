// The minimum by masks.
// input: 2
#include <byway.h>

int main(void)
{
    signed char x, y;
    byway_make_symbolic(&x, sizeof x, "x");
    byway_make_symbolic(&y, sizeof y, "y");
    int least = y ^ ((x ^ y) & -(x < y));
    if (least > x || least > y)
        return 1; // TARGET unreachable
    if (least != x && least != y)
        return 2; // TARGET unreachable
    if (least == -128 && x != y)
        return 3; // TARGET reached
    return 0;
}
