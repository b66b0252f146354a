// _Float16 and __bf16: arithmetic in half precision, conversions, vectors of them.
// flags: --rtlib=compiler-rt
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static unsigned bits(_Float16 h) {
    uint16_t u;
    memcpy(&u, &h, 2);
    return h != h ? 0x7e00 : u;
}
static unsigned bbits(__bf16 h) {
    uint16_t u;
    memcpy(&u, &h, 2);
    return (u & 0x7fff) > 0x7f80 ? 0x7fc0 : u;
}

__attribute__((noinline)) static void half(_Float16 a, _Float16 b) {
    printf("%04x %04x %04x %04x %04x", bits(a + b), bits(a - b), bits(a * b), bits(a / b), bits(-a));
    printf(" %d%d%d%d", a < b, a <= b, a == b, a != b);
    printf(" %04x %a %a\n", bits(a * b + a), (double)(float)a, (double)a);
}
__attribute__((noinline)) static void brain(__bf16 a, __bf16 b) {
    printf("%04x %04x %04x %04x %d%d %a\n", bbits(a + b), bbits(a - b), bbits(a * b), bbits(a / b), a < b,
           a == b, (double)(float)a);
}

typedef _Float16 half8 __attribute__((vector_size(16)));
__attribute__((noinline)) static half8 scale(half8 x, _Float16 by) { return x * by + (half8){1, 2, 3, 4, 5, 6, 7, 8}; }

int main(void) {
    volatile float v[] = {0, -0.0f, 1, -2.5f, 0.1f, 65504, 70000, 6e-8f, 6.1e-5f, 1.0f / 0, 1000.5f, 2049};
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++) {
            half((_Float16)v[i], (_Float16)v[j]);
            brain((__bf16)v[i], (__bf16)v[j]);
        }
    volatile double d = 1.0009765625;
    volatile int n = 12345;
    volatile unsigned u = 54321;
    printf("%04x %04x %04x %04x\n", bits((_Float16)d), bits((_Float16)n), bits((_Float16)u), bits((_Float16)2.5L));
    volatile _Float16 h = (_Float16)-321.75f;
    printf("%d %ld %u %.10Lf\n", (int)h, (long)h, (unsigned)-h, (long double)h);
    half8 x = {1, 2, 3, 4, (_Float16)0.5f, (_Float16)0.25f, -1, -2};
    x = scale(x, (_Float16)1.5f);
    for (int i = 0; i < 8; i++)
        printf("%g ", (double)x[i]);
    printf("\n");
    return 0;
}
