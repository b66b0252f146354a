// Math functions that become intrinsics when errno does not matter: sqrt, sin, exp, pow, fmod, ldexp, lrint and others.
// flags: -lm -fno-math-errno -D_GNU_SOURCE
#include <math.h>
#include <stdio.h>

__attribute__((noinline)) static void doubles(double x, double y) {
    printf("%.10g %.10g %.10g %.10g", sqrt(x), sin(x), cos(x), tan(x));
    printf(" %.10g %.10g %.10g %.10g", exp(y), exp2(y), log(x), log2(x));
    printf(" %.10g %.10g %.10g", log10(x), pow(x, y), exp10(y));
    printf(" %.10g %.10g %.10g %.10g", asin(y / 8), acos(y / 8), atan(x), atan2(x, y));
    printf(" %.10g %.10g %.10g", sinh(y), cosh(y), tanh(y));
    printf(" %.17g %.17g %.17g\n", fmod(x, y), ldexp(x, 3), remainder(x, y));
    printf(" %ld %lld %ld %lld %ld %ld\n", lrint(x), llrint(y), lround(x), llround(y), lrintf((float)x), lroundf((float)y));
}
__attribute__((noinline)) static void floats(float x, float y) {
    printf("%.5g %.5g %.5g %.5g %.5g %.5g %.9g\n", sqrtf(x), sinf(x), cosf(x), expf(y), logf(x), powf(x, y), fmodf(x, y));
}
__attribute__((noinline)) static void longs(long double x, long double y) {
    printf("%.15Lg %.15Lg %.15Lg %.15Lg %.15Lg %ld %ld\n", sqrtl(x), expl(y), logl(x), powl(x, y), fmodl(x, y), lrintl(x), lroundl(y));
}
// Vectorised at -O2 where the operation has a vector form.
__attribute__((noinline)) static double total(const double *v, int n) {
    double buffer[32], s = 0;
    for (int i = 0; i < n; i++)
        buffer[i] = sqrt(v[i]) + fabs(v[i] - 4);
    for (int i = 0; i < n; i++)
        s += buffer[i];
    return s;
}

int main(void) {
    double v[] = {0.5, 1.5, 2.5, 7.25, 100.125};
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 4; j++)
            doubles(v[i], v[j]), floats((float)v[i], (float)v[j]), longs(v[i], v[j]);
    printf("%.15g\n", total(v, 5));
    return 0;
}
