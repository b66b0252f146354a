// Taking floats apart: frexp, ldexp, scalbn, modf, logb, ilogb, nextafter, __builtin_powi.
// flags: -lm
#include <math.h>
#include <stdio.h>

__attribute__((noinline)) static void parts(double x) {
    int e, g;
    double m = frexp(x, &e), n = __builtin_frexp(x, &g);
    float fm = __builtin_frexpf((float)x, &e);
    double whole, fraction = modf(x, &whole);
    float fwhole, ffraction = modff((float)x, &fwhole);
    printf("%.17g %d %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", m, e, n, fm, whole, fraction, fwhole, ffraction, ldexp(m, 5));
    printf(" %.17g %.17g %.17g %.17g\n", scalbn(x, -3), scalbln(x, 4), nextafter(x, INFINITY), nextafter(x, 0));
    if (x != 0)
        printf(" %g %d\n", logb(x), ilogb(x));
    long double lw, lf = modfl((long double)x / 3, &lw);
    printf(" %.21Lg %.21Lg %.21Lg\n", lw, lf, __builtin_frexpl((long double)x, &e));
    printf(" %d\n", e);
}
__attribute__((noinline)) static void powers(double x, int n) {
    printf("%.17g %.17g %.15Lg\n", __builtin_powi(x, n), __builtin_powif((float)x, n), __builtin_powil((long double)x, n));
}

int main(void) {
    const double v[] = {0.0, -0.0, 1.0, -2.75, 1e10 + 0.5, 1e-310, 5e-324, 1.7e308, 0.1};
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++)
        parts(v[i]);
    for (int n = -6; n < 14; n += 3)
        powers(1.25, n), powers(-3.0, n);
    powers(2.0, 0);
    return 0;
}
