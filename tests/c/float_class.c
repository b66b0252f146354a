// Classification of floats: fpclassify, isnan, isinf, isnormal, signbit, __builtin_isfpclass.
#include <math.h>
#include <stdio.h>

__attribute__((noinline)) static int class_d(double x) {
    return fpclassify(x) == FP_NAN ? 0 : fpclassify(x) == FP_INFINITE ? 1 : fpclassify(x) == FP_ZERO ? 2
           : fpclassify(x) == FP_SUBNORMAL ? 3 : 4;
}
#define FLAGS(NAME, T)                                                                             \
    __attribute__((noinline)) static unsigned NAME(T x) {                                          \
        return (unsigned)!!isnan(x) | (unsigned)!!isinf(x) << 1 | (unsigned)!!isfinite(x) << 2 |   \
               (unsigned)!!isnormal(x) << 3 | (unsigned)!!signbit(x) << 4 |                        \
               (unsigned)!!__builtin_isfpclass(x, 0x090) << 5 |                                    \
               (unsigned)!!__builtin_isfpclass(x, 0x060) << 6 |                                    \
               (unsigned)!!__builtin_isfpclass(x, 0x204) << 7 |                                    \
               (unsigned)!!__builtin_isfpclass(x, 0x300) << 8 |                                    \
               (unsigned)!!__builtin_isfpclass(x, 0x00c) << 9 |                                    \
               (unsigned)!!__builtin_isfpclass(x, 0x1f8) << 10;                                    \
    }
FLAGS(flags_f, float)
FLAGS(flags_d, double)
FLAGS(flags_l, long double)

int main(void) {
    volatile double zero = 0;
    double v[] = {0.0, -0.0, 1.0, -1.0, 1e-310, -5e-324, 1e308, 1 / zero, -1 / zero, zero / zero, 2.2250738585072014e-308};
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
        double x = v[i] != v[i] ? fabs(v[i]) : v[i]; // the sign of 0/0 is the machine's choice
        printf("%d %03x %03x %03x %d %d\n", class_d(x), flags_d(x), flags_f((float)(x / 4)), flags_l((long double)x),
               __builtin_isinf_sign(x), !!__builtin_issubnormal(x));
    }
    float tiny = 1e-40f;
    printf("%03x %03x\n", flags_f(tiny), flags_l(3.5e-4940L));
    return 0;
}
