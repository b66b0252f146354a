// Powers of ten: with no errno to set, clang calls an intrinsic.
// flags: -fno-math-errno
#include <stdio.h>

int main(void) {
    volatile double doubles[] = {0, 1, -2, 2.5, 300, 400, -400, 1.0 / 3};
    volatile float floats[] = {0, 3, -1.5f, 50};
    for (unsigned i = 0; i < sizeof doubles / sizeof *doubles; i++)
        printf("%a\n", __builtin_exp10(doubles[i]));
    for (unsigned i = 0; i < sizeof floats / sizeof *floats; i++)
        printf("%a\n", (double)__builtin_exp10f(floats[i]));
    return 0;
}
