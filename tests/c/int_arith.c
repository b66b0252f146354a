// Integer add, sub, mul, div, rem, and, or, xor, not, neg at 8 to 64 bits, both signs.
#include <stdint.h>
#include <stdio.h>

static const int64_t samples[] = {0, 1, -1, 2, 7, -7, 127, -128, 255, 256, 32767, -32768, 65535,
                                  2147483647, -2147483648LL, 4294967295LL, 1234567890123LL,
                                  -987654321098LL, 0x0123456789abcdefLL};
enum { COUNT = sizeof samples / sizeof *samples };

static uint64_t sum;

static void mix(uint64_t v) {
    sum = (sum ^ v) * 0x100000001b3u;
    sum ^= sum >> 29;
}

// Signed arithmetic goes through the unsigned type, where wrapping is defined.
#define UNSIGNED(NAME, T)                                                                          \
    __attribute__((noinline)) static void NAME(T a, T b) {                                         \
        mix((T)(a + b));                                                                           \
        mix((T)(a - b));                                                                           \
        mix((T)((uint64_t)a * b));                                                                 \
        if (b) {                                                                                   \
            mix((T)(a / b));                                                                       \
            mix((T)(a % b));                                                                       \
        }                                                                                          \
        mix((T)(a & b));                                                                           \
        mix((T)(a | b));                                                                           \
        mix((T)(a ^ b));                                                                           \
        mix((T)~a);                                                                                \
        mix((T)-a);                                                                                \
        mix((T)!a);                                                                                \
    }

#define SIGNED(NAME, T, MIN)                                                                       \
    __attribute__((noinline)) static void NAME(T a, T b) {                                         \
        if (b && !(a == MIN && b == -1)) {                                                         \
            mix((uint64_t)(T)(a / b));                                                             \
            mix((uint64_t)(T)(a % b));                                                             \
        }                                                                                          \
        mix((uint64_t)(T)(a & b));                                                                 \
        mix((uint64_t)(T)(a ^ b));                                                                 \
        mix((uint64_t)(a < b ? a : b));                                                            \
        if (a > -1000 && a < 1000 && b > -1000 && b < 1000)                                        \
            mix((uint64_t)((int64_t)a * b - (int64_t)b));                                          \
    }

UNSIGNED(u8, uint8_t)
UNSIGNED(u16, uint16_t)
UNSIGNED(u32, uint32_t)
UNSIGNED(u64, uint64_t)
SIGNED(s8, int8_t, INT8_MIN)
SIGNED(s16, int16_t, INT16_MIN)
SIGNED(s32, int32_t, INT32_MIN)
SIGNED(s64, int64_t, INT64_MIN)

int main(void) {
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++) {
            int64_t a = samples[i], b = samples[j];
            u8((uint8_t)a, (uint8_t)b);
            u16((uint16_t)a, (uint16_t)b);
            u32((uint32_t)a, (uint32_t)b);
            u64((uint64_t)a, (uint64_t)b);
            s8((int8_t)a, (int8_t)b);
            s16((int16_t)a, (int16_t)b);
            s32((int32_t)a, (int32_t)b);
            s64(a, b);
            if (j == i)
                printf("%2d %016llx\n", i, (unsigned long long)sum);
        }
    return (int)(sum & 63);
}
