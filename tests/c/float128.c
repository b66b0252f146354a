// __float128: arithmetic, comparisons and conversions, shown bit by bit.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef __float128 quad;

static void show(const char *what, quad x) {
    uint64_t w[2];
    memcpy(w, &x, 16);
    if (x != x)
        w[0] = 0, w[1] = 0x7fff8000ull << 32;
    printf("%s %016llx%016llx\n", what, (unsigned long long)w[1], (unsigned long long)w[0]);
}

__attribute__((noinline)) static void all(quad a, quad b) {
    show("+", a + b), show("-", a - b), show("*", a * b), show("/", a / b), show("neg", -a);
    printf("%d%d%d%d%d%d\n", a < b, a <= b, a > b, a >= b, a == b, a != b);
    printf("%.17g %.9g\n", (double)a, (double)(float)b);
}

int main(void) {
    volatile double inputs[] = {0.0, 1.0, -2.5, 0.1, 1e300, -1e-300, 3.0, 7e22};
    for (int i = 0; i < 8; i++)
        for (int j = 1; j < 8; j++)
            all((quad)inputs[i] / 3, (quad)inputs[j] * 1.1Q);
    volatile long n = -1234567890123456789;
    volatile unsigned long u = 18446744073709551615ul;
    volatile int s = -5;
    volatile unsigned w = 4000000000u;
    volatile long double l = 0.1L;
    volatile float f = 0.1f;
    show("long", n), show("ulong", u), show("int", s), show("unsigned", w), show("ld", l), show("float", f);
    volatile quad q = 1e15Q / 7;
    printf("%d %ld %lu %u %.20Lg\n", (int)(q / 1e9Q), (long)q, (unsigned long)q, (unsigned)(q / 1e6Q), (long double)q);
    volatile __int128 big = (__int128)1 << 100;
    show("i128", big + 1);
    quad p = 1;
    for (int i = 1; i < 60; i++)
        p = p * i / 3 + 0.25Q;
    show("product", p);
    return 0;
}
