// fma rounds once; a * b + c (fmuladd, contraction allowed) rounds twice without FMA hardware.
// flags: -lm -ffp-contract=on
#include <math.h>
#include <stdio.h>

__attribute__((noinline)) static double fused(double a, double b, double c) { return fma(a, b, c); }
__attribute__((noinline)) static float fusedf(float a, float b, float c) { return fmaf(a, b, c); }
__attribute__((noinline)) static long double fusedl(long double a, long double b, long double c) { return fmal(a, b, c); }
__attribute__((noinline)) static double twice(double a, double b, double c) { return a * b + c; }
__attribute__((noinline)) static float twicef(float a, float b, float c) { return a * b - c; }

int main(void) {
    // Volatile: a compiler may fold constants in higher precision than it computes.
    volatile double x = 1.0 + 0x1p-30, y = 1.0 - 0x1p-30;
    printf("%a %a\n", fused(x, y, -1), twice(x, y, -1));
    volatile float f = 1.0f + 0x1p-13f;
    printf("%a %a\n", fusedf(f, f, -1), twicef(f, f, 1));
    printf("%.21Lg\n", fusedl(1.0L + 0x1p-40L, 1.0L - 0x1p-40L, -1));
    double acc = 0, plain = 0;
    for (int i = 1; i < 500; i++) {
        acc = fused(acc, 1.0 / i, i * 0.3);
        plain = twice(plain, 1.0 / i, i * 0.3);
    }
    printf("%a %a\n", acc, plain);
    printf("%a %a\n", fused(1e308, 10, -INFINITY), fused(5e-324, 0.5, 5e-308));
    return 0;
}
