// float and double: + - * / fmod, negation, fabs, copysign, sqrt on ordinary and special values, bit by bit.
// flags: -lm -ffp-contract=off
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t bits(double d) {
    uint64_t u;
    memcpy(&u, &d, 8);
    return d != d ? 0x7ff8000000000000u : u; // the sign and payload of a NaN are not C's business
}
static uint32_t bitsf(float f) {
    uint32_t u;
    memcpy(&u, &f, 4);
    return f != f ? 0x7fc00000u : u;
}

__attribute__((noinline)) static void doubles(double a, double b) {
    printf("%016llx %016llx %016llx %016llx %016llx\n", (unsigned long long)bits(a + b),
           (unsigned long long)bits(a - b), (unsigned long long)bits(a * b),
           (unsigned long long)bits(a / b), (unsigned long long)bits(fmod(a, b)));
    printf(" %016llx %016llx %016llx %016llx\n", (unsigned long long)bits(-a),
           (unsigned long long)bits(fabs(a)), (unsigned long long)bits(copysign(a, b)),
           (unsigned long long)bits(sqrt(b)));
}
__attribute__((noinline)) static void floats(float a, float b) {
    printf("%08x %08x %08x %08x %08x", bitsf(a + b), bitsf(a - b), bitsf(a * b), bitsf(a / b),
           bitsf(fmodf(a, b)));
    printf(" %08x %08x %08x %08x\n", bitsf(-a), bitsf(fabsf(a)), bitsf(copysignf(a, b)), bitsf(sqrtf(b)));
}

int main(void) {
    volatile double zero = 0.0;
    const double v[] = {0.0,     -0.0,   1.0,     -1.5,    3.14159265358979, 1e308,      -1e-308,
                        5e-324,  1e300,  -7.25e5, 1.0 / 3, 2.2250738585072014e-308, 1 / zero, -1 / zero,
                        zero / zero, 123456789.125, 1e16, 0.1};
    int n = sizeof v / sizeof *v;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            doubles(v[i], v[j]);
            floats((float)v[i], (float)v[j]);
        }
    float f = 1.0f;
    for (int i = 0; i < 200; i++)
        f = f * 0.5f + (float)i / 3.0f;
    double d = 1.0;
    for (int i = 1; i < 200; i++)
        d = sqrt(d * i) - 1.0 / i;
    printf("%a %a\n", f, d);
    return 0;
}
