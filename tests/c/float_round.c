// Rounding to integral values in every mode: floor, ceil, trunc, rint, nearbyint, round, roundeven, lrint, lround.
// flags: -lm
#include <math.h>
#include <stdio.h>

__attribute__((noinline)) static void doubles(double x) {
    printf("%.17g: %.17g %.17g %.17g %.17g %.17g %.17g %.17g", x, floor(x), ceil(x), trunc(x), rint(x), nearbyint(x), round(x),
           __builtin_roundeven(x));
    if (fabs(x) < 9e18)
        printf(" %ld %lld %ld %lld", lrint(x), llrint(x), lround(x), llround(x));
    printf("\n");
}
__attribute__((noinline)) static void floats(float x) {
    printf("%a: %a %a %a %a %a %a %a", x, floorf(x), ceilf(x), truncf(x), rintf(x), nearbyintf(x), roundf(x),
           __builtin_roundevenf(x));
    if (fabsf(x) < 9e18f)
        printf(" %ld %ld", lrintf(x), lroundf(x));
    printf("\n");
}
__attribute__((noinline)) static void longs(long double x) {
    printf("%.21Lg: %.21Lg %.21Lg %.21Lg %.21Lg %.21Lg", x, floorl(x), ceill(x), truncl(x), rintl(x), roundl(x));
    if (fabsl(x) < 9e18L)
        printf(" %ld %ld", lrintl(x), lroundl(x));
    printf("\n");
}

int main(void) {
    const double v[] = {0.0, -0.0, 0.25, 0.5, -0.5, 0.75, 1.5, -1.5, 2.5, -2.5, 3.5, 0.49999999999999994,
                        4503599627370495.5, 4503599627370496.5, 9007199254740993.0, -1e17, 1e300, 5e-324,
                        8388607.5, -8388608.5, 2147483647.5, INFINITY, -INFINITY, 123456.789};
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++)
        doubles(v[i]), floats((float)v[i]), longs(v[i]);
    return 0;
}
