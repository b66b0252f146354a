// Saturating add and sub, min, max, abs, scmp and ucmp on scalars, by builtin and by idiom.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#define OPS(NAME, T)                                                                               \
    __attribute__((noinline)) static void NAME(T a, T b) {                                         \
        T add = __builtin_elementwise_add_sat(a, b), sub = __builtin_elementwise_sub_sat(a, b);    \
        T low = __builtin_elementwise_min(a, b), high = __builtin_elementwise_max(a, b);           \
        T cond = a > b ? a : b;                                                                    \
        printf(" %lld %lld %lld %lld %lld", (long long)add, (long long)sub, (long long)low,        \
               (long long)high, (long long)cond);                                                  \
    }
OPS(s8, int8_t)
OPS(u8, uint8_t)
OPS(s16, int16_t)
OPS(u16, uint16_t)
OPS(s32, int32_t)
OPS(u32, uint32_t)
OPS(s64, int64_t)
OPS(u64, uint64_t)

__attribute__((noinline)) static int order(int64_t a, int64_t b) { return (a > b) - (a < b); }
__attribute__((noinline)) static int order_unsigned(uint32_t a, uint32_t b) { return (a > b) - (a < b); }
__attribute__((noinline)) static int sign_of(int x) { return x < 0 ? -1 : x > 0; }
__attribute__((noinline)) static long magnitude(long x) { return x < 0 ? -x : x; }
__attribute__((noinline)) static int8_t absolute(int8_t x) { return __builtin_elementwise_abs(x); }
__attribute__((noinline)) static int clamp(int x) { return x < -100 ? -100 : x > 100 ? 100 : x; }

int main(void) {
    static const int64_t v[] = {0, 1, -1, 5, 127, -128, 255, 32767, -32768, 65535, INT_MAX, INT_MIN,
                                UINT_MAX, INT64_MAX, INT64_MIN};
    int n = sizeof v / sizeof *v;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            int64_t a = v[i], b = v[j];
            s8((int8_t)a, (int8_t)b), u8((uint8_t)a, (uint8_t)b);
            s16((int16_t)a, (int16_t)b), u16((uint16_t)a, (uint16_t)b);
            s32((int32_t)a, (int32_t)b), u32((uint32_t)a, (uint32_t)b);
            s64(a, b), u64((uint64_t)a, (uint64_t)b);
            printf(" %d %d\n", order(a, b), order_unsigned((uint32_t)a, (uint32_t)b));
        }
        long x = v[i] == INT64_MIN ? 1 : v[i];
        printf("%d %ld %d %d\n", sign_of((int)v[i]), magnitude(x), absolute((int8_t)v[i]), clamp((int)v[i]));
    }
    return 0;
}
