// long double (x87 extended): arithmetic, comparisons, conversions, printing, math functions.
// flags: -lm
#include <math.h>
#include <stdio.h>
#include <string.h>

static void show(const char *what, long double x) {
    unsigned char b[16] = {0};
    memcpy(b, &x, 10);
    if (x != x)
        memset(b, 0xff, 10);
    printf("%s %02x%02x ", what, b[9], b[8]);
    for (int i = 7; i >= 0; i--)
        printf("%02x", b[i]);
    // Thousands of digits are no test of arithmetic; the bits above are.
    if (x == 0 || (fabsl(x) > 1e-30L && fabsl(x) < 1e30L))
        printf(" %.21Lg", x);
    printf("\n");
}

__attribute__((noinline)) static void all(long double a, long double b) {
    show("+", a + b), show("-", a - b), show("*", a * b), show("/", a / b);
    show("neg", -a), show("abs", fabsl(a)), show("sign", copysignl(a, b));
    if (b > 0)
        show("sqrt", sqrtl(b));
    printf("%d%d%d%d%d%d\n", a < b, a <= b, a > b, a >= b, a == b, a != b);
    if (b != 0 && isfinite(a))
        show("fmod", fmodl(a, b));
    show("floor", floorl(a)), show("ceil", ceill(a)), show("trunc", truncl(a)), show("round", roundl(a));
    show("rint", rintl(a)), show("min", fminl(a, b)), show("max", fmaxl(a, b));
}

int main(void) {
    volatile long double zero = 0;
    long double v[] = {0.0L, -1.0L, 0.1L, 1.5L, 1e4000L, -3.3621e-4932L, 123456789012345.678L, 1 / zero, zero / zero,
                       1.8446744073709551615e19L};
    int n = sizeof v / sizeof *v;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            all(v[i], v[j]);
    for (int i = 2; i < 5; i++) {
        volatile long double x = v[i] > 1e300L ? 12345.75L : v[i] * 1000;
        printf("%d %u %ld %lu %lld %.17g %.9g\n", (int)x, (unsigned)x, (long)x, (unsigned long)x,
               (long long)x, (double)x, (double)(float)x);
    }
    volatile long double big = 18446744073709551000.0L;
    printf("%lu\n", (unsigned long)big);
    volatile int s = -7;
    volatile unsigned u = 4000000000u;
    volatile long l = -9007199254740993;
    volatile unsigned long ul = 18446744073709551615ul;
    volatile double d = 0.1;
    volatile float f = 0.1f;
    show("int", s), show("unsigned", u), show("long", l), show("ulong", ul), show("double", d), show("float", f);
    long double sum = 0;
    for (int i = 1; i <= 1000; i++)
        sum += 1.0L / i;
    show("harmonic", sum);
    int e;
    long double m = frexpl(sum, &e);
    show("frexp", m);
    printf("%d\n", e);
    show("ldexp", ldexpl(m, -20));
    long double whole, part = modfl(sum * 100, &whole);
    show("whole", whole), show("part", part);
    printf("%Lf %.3Lf %Le %LG %.0Lf %30.10Lf|\n", sum, sum, sum, sum, sum, sum);
    return 0;
}
