// Shifts by a symbolic amount, in range.
// paths: 6
// exit-codes: 0 1 2 3
#include <byway.h>

int main(void)
{
    unsigned char n;
    signed char v;
    byway_make_symbolic(&n, sizeof n, "n");
    byway_make_symbolic(&v, sizeof v, "v");
    n &= 31;
    unsigned left = 3u << n;
    int right = v >> n;
    if (left == 0x80000000u)
        return 1;
    if (right == -3)
        return 2;
    if ((unsigned)v >> 31 && n > 7 && right != -1)
        return 9;
    if (v == 77)
        return 3;
    return 0;
}
