// Constrained floating-point intrinsics: what clang emits under strict floating point.
// flags: -lm -ffp-model=strict
#include <math.h>
#include <stdio.h>

__attribute__((noinline)) static double mix(double a, double b, float c) {
    double s = a + b, d = a - b, p = a * b, q = b != 0 ? a / b : 0;
    double m = fma(a, b, s) + sqrt(fabs(d)) + floor(p) + ceil(q) + trunc(s) + rint(d) + nearbyint(p) + round(q);
    return m + (double)c + fmin(a, b) - fmax(s, d) + (double)(float)m;
}
__attribute__((noinline)) static int order(double a, double b) {
    return (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5 |
           !!isless(a, b) << 6 | !!isunordered(a, b) << 7 | !!islessgreater(a, b) << 8;
}
__attribute__((noinline)) static long integers(double a, int n, unsigned u, long l, unsigned long ul) {
    return (long)a + (int)(a / 2) + (unsigned)fabs(a) + (long)((double)n + (double)u + (float)l + (double)ul) + lrint(a) + lround(a);
}

int main(void) {
    double v[] = {0, 1.5, -2.25, 1e10, -3.75, 0.1};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            printf("%a %03x %ld\n", mix(v[i], v[j], (float)v[j]), (unsigned)order(v[i], v[j]),
                   integers(v[i] / 100, i - 3, (unsigned)j, -7L * i, 9ul * (unsigned long)j));
    printf("%03x\n", (unsigned)order(NAN, 1));
    return 0;
}
