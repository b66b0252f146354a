// _Complex float, double and long double: arithmetic, division, functions that take and return them.
// flags: -lm
#include <complex.h>
#include <stdio.h>

__attribute__((noinline)) static double complex polynomial(double complex z) { return z * z * z - 2.0 * z + (1 - 3 * I); }
__attribute__((noinline)) static float complex swap(float complex z) { return __builtin_complex(cimagf(z), crealf(z)); }
__attribute__((noinline)) static long double complex halve(long double complex z) { return z / 2; }
__attribute__((noinline)) static int _Complex gaussian(int _Complex a, int _Complex b) { return a * b + 1; }

struct pair { double complex a; float complex b; };
__attribute__((noinline)) static struct pair make(double x) { return (struct pair){x + 2 * x * I, swap((float)x + 1.0f * I)}; }

int main(void) {
    double complex z = 1.5 - 0.5 * I;
    for (int i = 0; i < 5; i++) {
        z = polynomial(z) / (2 + i * I);
        printf("%.12g %.12g %.12g\n", creal(z), cimag(z), cabs(z));
    }
    float complex f = swap(3.0f + 4.0f * I);
    printf("%g %g %g %d\n", crealf(f), cimagf(f), cabsf(f), f == 4.0f + 3.0f * I);
    long double complex l = halve(5.0L - 7.0L * I) * (1.0L + 1.0L * I);
    printf("%Lg %Lg\n", creall(l), cimagl(l));
    int _Complex g = gaussian(3 + 2i, -1 + 5i);
    printf("%d %d\n", __real__ g, __imag__ g);
    struct pair p = make(0.75);
    printf("%g %g %g %g\n", creal(p.a), cimag(p.a), crealf(p.b), cimagf(p.b));
    double complex e = cexp(I * 3.141592653589793);
    printf("%.6f %.6f\n", creal(e), cimag(e) + 1);
    z = conj(csqrt(-4.0 + 0.0 * I));
    printf("%.6f %.6f %.10g\n", creal(z), cimag(z), carg(1 + 1 * I));
    return 0;
}
