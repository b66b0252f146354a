// The transcendental functions of libm, printed to fewer digits than they are exact to.
// flags: -lm
#include <math.h>
#include <stdio.h>

static void show(const char *name, double x) { printf("%s %.10g\n", name, x); }

int main(void) {
    for (double x = 0.1; x < 12; x *= 1.7) {
        show("sin", sin(x)), show("cos", cos(x)), show("tan", tan(x));
        show("asin", asin(x / 20)), show("acos", acos(x / 20)), show("atan", atan(x)), show("atan2", atan2(x, 3));
        show("sinh", sinh(x)), show("cosh", cosh(x)), show("tanh", tanh(x));
        show("asinh", asinh(x)), show("acosh", acosh(x + 1)), show("atanh", atanh(x / 20));
        show("exp", exp(x)), show("exp2", exp2(x)), show("expm1", expm1(x));
        show("log", log(x)), show("log2", log2(x)), show("log10", log10(x)), show("log1p", log1p(x));
        show("pow", pow(x, 2.5)), show("pow", pow(x, -3)), show("cbrt", cbrt(x)), show("hypot", hypot(x, 4));
        show("erf", erf(x)), show("erfc", erfc(x / 10)), show("tgamma", tgamma(x)), show("lgamma", lgamma(x));
        printf("%.6g %.6g %.6g %.6g\n", sinf((float)x), expf((float)x), logf((float)x), powf((float)x, 1.5f));
        printf("%.15Lg %.15Lg %.15Lg\n", sqrtl(x), expl(x), logl(x));
        show("remainder", remainder(x * 10, 3)), show("fmod", fmod(x * 10, 3));
    }
    printf("%g %g %g\n", pow(2, 10), pow(-2, 3), pow(0, 0));
    printf("%d %d %d\n", !!isnan(sqrt(-1.0)), !!isinf(log(0.0)), !!isnan(acos(2.0)));
    return 0;
}
