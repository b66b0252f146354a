// Conversions between floats and integers of every width, in range.
#include <stdint.h>
#include <stdio.h>

__attribute__((noinline)) static void from_double(double d) {
    printf("%a:", d);
    if (d > -129 && d < 128)
        printf(" %d", (int8_t)d);
    if (d > -1 && d < 256)
        printf(" %u", (uint8_t)d);
    if (d > -32769 && d < 32768)
        printf(" %d", (int16_t)d);
    if (d > -1 && d < 65536)
        printf(" %u", (uint16_t)d);
    if (d > -2147483649.0 && d < 2147483648.0)
        printf(" %d", (int32_t)d);
    if (d > -1 && d < 4294967296.0)
        printf(" %u", (uint32_t)d);
    if (d >= -9223372036854775808.0 && d < 9223372036854775808.0)
        printf(" %lld", (long long)d);
    if (d > -1 && d < 18446744073709551616.0)
        printf(" %llu", (unsigned long long)d);
    printf(" %d %a %.21Lg\n", (_Bool)d, (float)d, (long double)d);
}
__attribute__((noinline)) static void from_float(float f) {
    printf("%a", (double)f);
    if (f > -2e9f && f < 2e9f)
        printf(" %d %d", (int)f, (short)(int)f);
    if (f >= 0 && f < 1.8e19f)
        printf(" %llu", (unsigned long long)f);
    printf("\n");
}
__attribute__((noinline)) static void from_int(int64_t x) {
    printf("%a %a %a %a", (double)x, (double)(float)x, (double)(uint64_t)x, (double)(float)(uint64_t)x);
    printf(" %a %a %a %a", (double)(int32_t)x, (double)(float)(int32_t)x, (double)(uint32_t)x, (double)(float)(uint32_t)x);
    printf(" %a %a %a %a", (double)(int16_t)x, (double)(uint16_t)x, (double)(int8_t)x, (double)(float)(uint8_t)x);
    printf(" %.21Lg %.21Lg %a\n", (long double)x, (long double)(uint64_t)x, (double)(_Bool)x);
}

int main(void) {
    const double d[] = {0, -0.0, 0.5, -0.5, 1.999, -1.999, 127.9, -128.9, 255.5, 32767.99, 65535.5, 1e9 + 0.5,
                        2147483647.5, -2147483648.5, 4294967295.9, 1e15, 9.2e18, 1.8e19, -9.2e18, 0.1, 1e300, 1e-300};
    for (unsigned i = 0; i < sizeof d / sizeof *d; i++) {
        from_double(d[i]);
        if (d[i] < 1e30)
            from_float((float)d[i]);
    }
    const int64_t n[] = {0, 1, -1, 127, 128, 16777217, -16777219, 0x7fffffff, 0x80000000LL, 0xffffffffLL,
                         9007199254740993LL, -9007199254740995LL, INT64_MAX, INT64_MIN, 0x7fffffbfffffffffLL, 0x7fffff4000000001LL};
    for (unsigned i = 0; i < sizeof n / sizeof *n; i++)
        from_int(n[i]);
    return 0;
}
