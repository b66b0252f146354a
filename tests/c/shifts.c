// Shifts by constants and variables, rotates (funnel shifts) at every width.
#include <stdint.h>
#include <stdio.h>

#define SHIFTS(NAME, T, S, BITS)                                                                   \
    __attribute__((noinline)) static void NAME(T x, unsigned n) {                                  \
        n %= BITS;                                                                                 \
        printf(" %llx %llx %llx", (unsigned long long)(T)(x << n),                                 \
               (unsigned long long)(T)(x >> n), (unsigned long long)(T)((S)x >> n));               \
        printf(" %llx %llx", (unsigned long long)(T)(x << n | x >> ((BITS - n) % BITS)),           \
               (unsigned long long)(T)(x >> n | x << ((BITS - n) % BITS)));                        \
        printf(" %llx", (unsigned long long)(T)((T)(x << 3) >> 2));                                \
    }
SHIFTS(s8, uint8_t, int8_t, 8)
SHIFTS(s16, uint16_t, int16_t, 16)
SHIFTS(s32, uint32_t, int32_t, 32)
SHIFTS(s64, uint64_t, int64_t, 64)

__attribute__((noinline)) static void builtins(uint64_t x, int n) {
    printf(" %x %x %x %x", __builtin_rotateleft8((uint8_t)x, n), __builtin_rotateright8((uint8_t)x, n),
           __builtin_rotateleft16((uint16_t)x, n), __builtin_rotateright16((uint16_t)x, n));
    printf(" %x %x %llx %llx\n", __builtin_rotateleft32((uint32_t)x, n),
           __builtin_rotateright32((uint32_t)x, n),
           (unsigned long long)__builtin_rotateleft64(x, n),
           (unsigned long long)__builtin_rotateright64(x, n));
}

// The compiler turns this into a funnel shift of two different words.
__attribute__((noinline)) static uint64_t funnel(uint64_t a, uint64_t b, unsigned n) {
    n &= 63;
    return n ? a << n | b >> (64 - n) : a;
}
__attribute__((noinline)) static uint32_t funnel_right(uint32_t a, uint32_t b, unsigned n) {
    n &= 31;
    return n ? b >> n | a << (32 - n) : b;
}
__attribute__((noinline)) static uint64_t wide(uint64_t high, uint64_t low, unsigned n) {
    unsigned __int128 both = (unsigned __int128)high << 64 | low;
    return (uint64_t)(both << (n & 63) >> 64) + (uint64_t)(both >> (n & 127));
}

int main(void) {
    volatile uint64_t values[] = {0x8000000000000001u, 0x0123456789abcdefu, 0xffffffffffffffffu, 0x80};
    for (int i = 0; i < 4; i++)
        for (unsigned n = 0; n < 70; n += 5) {
            uint64_t x = values[i];
            s8((uint8_t)x, n), s16((uint16_t)x, n), s32((uint32_t)x, n), s64(x, n);
            builtins(x, (int)n);
            printf("%llx %x %llx\n", (unsigned long long)funnel(x, ~x * 3, n),
                   funnel_right((uint32_t)x, (uint32_t)(x >> 32), n),
                   (unsigned long long)wide(x, x * 5, n));
        }
    return 0;
}
