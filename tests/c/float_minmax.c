// fmin, fmax and the IEEE 754-2019 minimum/maximum family, NaN and zeros included.
// flags: -lm
#include <math.h>
#include <stdio.h>

static void show(double x) {
    if (x != x)
        printf(" nan");
    else
        printf(" %g", x);
}

__attribute__((noinline)) static void all(double a, double b) {
    // A fmin of zeros of both signs may give either: do not look at its sign.
    show(fmin(a, b) + 0.0), show(fmax(a, b) + 0.0), show(fminf((float)a, (float)b) + 0.0f);
    show(__builtin_elementwise_minimum(a, b)), show(__builtin_elementwise_maximum(a, b));
    show(__builtin_fminimum_num(a, b)), show(__builtin_fmaximum_num(a, b));
    show(__builtin_fminimum_numf((float)a, (float)b)), show(fdim(a, b));
    show(a < b ? a : b), show(a > b ? a : b);
    printf("\n");
}

int main(void) {
    volatile double zero = 0;
    double v[] = {0.0, -0.0, 1.0, -1.0, 2.5, 1 / zero, -1 / zero, zero / zero};
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            all(v[i], v[j]);
    return 0;
}
