// Scalar x86 intrinsics of the baseline: add with carry, subtract with borrow, bit scans.
#include <stdint.h>
#include <stdio.h>
#include <x86intrin.h>

__attribute__((noinline)) static unsigned char add(unsigned long long *r, const unsigned long long *a, const unsigned long long *b, int n) {
    unsigned char carry = 0;
    for (int i = 0; i < n; i++)
        carry = _addcarry_u64(carry, a[i], b[i], &r[i]);
    return carry;
}
__attribute__((noinline)) static unsigned char sub(unsigned *r, const unsigned *a, const unsigned *b, int n) {
    unsigned char borrow = 0;
    for (int i = 0; i < n; i++)
        borrow = _subborrow_u32(borrow, a[i], b[i], &r[i]);
    return borrow;
}

int main(void) {
    unsigned long long wide;
    unsigned half;
    unsigned long long a[4] = {~0ull, ~0ull, 5, 1ull << 63}, b[4] = {1, 0, ~0ull, 1ull << 63}, r[4];
    printf("%d", add(r, a, b, 4));
    for (int i = 0; i < 4; i++)
        printf(" %llx", r[i]);
    unsigned c[3] = {0, 5, 7}, d[3] = {1, 5, 8}, s[3];
    printf("\n%d %x %x %x\n", sub(s, c, d, 3), s[0], s[1], s[2]);
    volatile unsigned x = 0x00f01000;
    printf("%d %d %x %x\n", __bsfd((int)x), __bsrd((int)x), (unsigned)__bswapd((int)x), __rold(x, 9));
    unsigned char k = _subborrow_u64(1, 5, x, &wide), l = _addcarry_u32(k, ~0u, x, &half);
    printf("%d %d %llx %x\n", k, l, wide, half);
    return 0;
}
