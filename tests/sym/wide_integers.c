// 128 bits: products, carries, shifts, comparisons.
// paths: 5
// exit-codes: 0 1 2 3 4
#include <byway.h>

typedef unsigned __int128 wide;

int main(void)
{
    unsigned long a;
    unsigned n;
    byway_make_symbolic(&a, sizeof a, "a");
    byway_make_symbolic(&n, sizeof n, "n");
    wide product = (wide)a * 1000;
    if ((unsigned long)(product >> 64) == 999)
        return 1;
    if (a == 17)
        return 2;
    wide sum = ((wide)a << 64) + a;
    if (sum >> 127) {
        if (a < 1ul << 63)
            return 9;
        return 3;
    }
    if ((__int128)((wide)1 << (n & 127)) < 0)
        return 4;
    return 0;
}
