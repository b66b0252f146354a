// The builtins that count and reverse bits.
// paths: 8
// exit-codes: 0 1 2 3 4 5 6
// faults: none
#include <byway.h>

int main(void)
{
    unsigned n = (unsigned)byway_int("n");
    if (n == 0)
        return 0;
    if (__builtin_clz(n) == 20 && __builtin_ctz(n) == 10) // bits 11 and 10, and none else
        return __builtin_popcount(n) == 2 ? 1 : 9;
    if (__builtin_bswap32(n) == 0x12345678)
        return n == 0x78563412 ? 2 : 9;
    if (__builtin_popcount(n) == 31)
        return 3;
    if (__builtin_bitreverse32(n) == 3)
        return n == 0xc0000000 ? 4 : 9;
    if (__builtin_rotateleft32(n, 4) == 0x0000000f)
        return n == 0xf0000000 ? 5 : 9;
    return 6;
}
