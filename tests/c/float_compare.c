// Every float comparison, ordered and unordered, on float, double and long double.
#include <math.h>
#include <stdio.h>

#define COMPARE(NAME, T)                                                                           \
    __attribute__((noinline)) static unsigned NAME(T a, T b) {                                     \
        return (unsigned)(a == b) | (unsigned)(a != b) << 1 | (unsigned)(a < b) << 2 |             \
               (unsigned)(a <= b) << 3 | (unsigned)(a > b) << 4 | (unsigned)(a >= b) << 5 |        \
               (unsigned)!(a < b) << 6 | (unsigned)!(a <= b) << 7 | (unsigned)!(a > b) << 8 |      \
               (unsigned)!(a >= b) << 9 | (unsigned)!!isunordered(a, b) << 10 |                    \
               (unsigned)!isunordered(a, b) << 11 | (unsigned)!!islessgreater(a, b) << 12 |        \
               (unsigned)!islessgreater(a, b) << 13 | (unsigned)!!isless(a, b) << 14 |             \
               (unsigned)!!isgreaterequal(a, b) << 15;                                             \
    }
COMPARE(f, float)
COMPARE(d, double)
COMPARE(l, long double)

// Branches on comparisons rather than values of them.
__attribute__((noinline)) static int walk(double a, double b) {
    int r = 0;
    if (a < b)
        r += 1;
    if (!(a < b))
        r += 2;
    if (a == a)
        r += 4;
    if (a != b)
        r += 8;
    if (!(a >= b) && !(b > a))
        r += 16;
    for (int n = 0; b < a && n < 20; n++) {
        b = b * 2 + 1;
        r += 32;
    }
    return r;
}

int main(void) {
    volatile double zero = 0;
    double v[] = {0.0, -0.0, 1.0, -1.0, 1.5, 1 / zero, -1 / zero, zero / zero, 5e-324};
    for (int i = 0; i < 9; i++) {
        for (int j = 0; j < 9; j++)
            printf("%04x %04x %04x %d, ", f((float)v[i], (float)v[j]), d(v[i], v[j]), l(v[i], v[j]), walk(v[i], v[j]));
        printf("\n");
    }
    return 0;
}
