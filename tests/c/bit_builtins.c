// Bit counting and reversal: popcount, parity, clz, ctz, ffs, clrsb, bswap, bitreverse.
#include <stdint.h>
#include <stdio.h>

__attribute__((noinline)) static void show(uint64_t x) {
    uint32_t w = (uint32_t)x;
    printf("%016llx:", (unsigned long long)x);
    printf(" %d %d %d %d", __builtin_popcount(w), __builtin_popcountll(x), __builtin_parity(w),
           __builtin_parityll(x));
    if (w)
        printf(" %d %d", __builtin_clz(w), __builtin_ctz(w));
    if (x)
        printf(" %d %d", __builtin_clzll(x), __builtin_ctzll(x));
    printf(" %d %d %d %d", __builtin_ffs((int)w), __builtin_ffsll((long long)x),
           __builtin_clrsb((int)w), __builtin_clrsbll((long long)x));
    printf(" %d %d %d %d", __builtin_clzg((uint8_t)x, 99), __builtin_ctzg((uint16_t)x, 98),
           __builtin_popcountg((uint8_t)x), __builtin_clzg((unsigned __int128)x << 9, 97));
    printf("\n %x %x %llx", __builtin_bswap16((uint16_t)x), __builtin_bswap32(w),
           (unsigned long long)__builtin_bswap64(x));
    unsigned __int128 wide = (unsigned __int128)x << 64 | ~x;
    wide = __builtin_bswapg(wide);
    printf(" %llx%016llx", (unsigned long long)(wide >> 64), (unsigned long long)wide);
    printf(" %x %x %x %llx\n", __builtin_bitreverse8((uint8_t)x), __builtin_bitreverse16((uint16_t)x),
           __builtin_bitreverse32(w), (unsigned long long)__builtin_bitreverse64(x));
}

// Loops the optimiser recognises as popcount and counting zeros.
__attribute__((noinline)) static int ones(uint64_t x) {
    int n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}
__attribute__((noinline)) static int length(uint32_t x) {
    int n = 0;
    while (x) {
        x >>= 1;
        n++;
    }
    return n;
}
__attribute__((noinline)) static uint32_t swap(uint32_t x) {
    return x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24;
}

int main(void) {
    uint64_t x = 1;
    show(0);
    show(~0ull);
    for (int i = 0; i < 30; i++) {
        show(x);
        printf(" %d %d %x\n", ones(x), length((uint32_t)x), swap((uint32_t)x));
        x = x * 0x5851f42d4c957f2du + (uint64_t)i;
    }
    return 0;
}
