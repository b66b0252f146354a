// printf of floats: %f %e %g %a (and %Lf %Le %Lg), every flag, exact digits, rounding, special values.
#include <float.h>
#include <math.h>
#include <stdio.h>

int main(void) {
    const double v[] = {0.0, -0.0, 1.0, -1.5, 0.1, 2.5, 3.5, 0.5, 1e10, 123456.789, 1e-5, 1.5e-7, 9.9999995, 1e21, 1e100, 1.7976931348623157e308,
                        2.2250738585072014e-308, 4.9e-324, 0.000123456, 999999.5, 1e15 + 0.3, 3.141592653589793, INFINITY, -INFINITY};
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
        double x = v[i];
        // Libraries differ in how they write subnormal numbers in hexadecimal.
        double normal = isfinite(x) && x != 0 && !isnormal(x) ? 1.0 : x;
        printf("[%f|%e|%g|%a]\n", x, x, x, normal);
        printf("[%.0f|%.1f|%.3f|%.10f|%.17g|%.0e|%.1e|%.15e]\n", x, x, x, x, x, x, x, x);
        printf("[%10.2f|%-10.2f|%+.2f|% .2f|%010.2f|%#.0f|%G|%E|%A]\n", x, x, x, x, x, x, x, x, normal);
        printf("[%.2a|%20a|%+a|%.20a]\n", normal, normal, normal, normal);
        printf("[%Lf|%.20Lg|%.3Le|%.21Lg]\n", (long double)x, (long double)x / 3, (long double)x * 7, (long double)x);
    }
    printf("%.50f\n%.60g\n", 0.1, DBL_MIN);
    printf("%.1f %.1f %.1f %.1f %.0f %.0f %.0f\n", 0.25, 0.35, 0.45, 0.75, 0.5, 1.5, 2.5);
    printf("%f %F %g\n", NAN, NAN, fabs(NAN));
    printf("%.30Lg %.5Lg\n", LDBL_MAX, LDBL_MIN);
    printf("%.400f\n", 1e-300);
    printf("%.3f\n", 1e300);
    printf("%#g %#.3g %#x|", 1.5, 2.0, 255);
    printf("%5.1f|%-8.3e|%08.3f|%+g\n", 3.14159, 31415.9, -3.14159, 1e6);
    return 0;
}
