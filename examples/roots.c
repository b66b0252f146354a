/* Roots of x * x + b * x + c, by the quadratic formula. Byway solves for the
 * floating-point operations of the machine, roundings included; so it finds inputs
 * for which the formula fails although it is mathematically correct.
 *
 *     byway run examples/roots.c
 *
 * What it shows: inputs for conditions on floats (a number whose square is 2.25, a
 * NaN), and a difference of two nearly equal numbers that loses all precision.
 */
// paths: 10
// faults: reported@29 x1
#include <byway.h>
#include <math.h>

enum { NOT_A_NUMBER = 10, TOO_LARGE, NO_ROOT, ONE_ROOT, TWO_ROOTS };

static int solve(float b, float c) {
    float under_root = b * b - 4 * c;
    if (isnan(under_root))
        return NOT_A_NUMBER;
    if (isinf(under_root))
        return TOO_LARGE;
    if (under_root < 0)
        return NO_ROOT;
    if (under_root == 0)
        return ONE_ROOT;
    float root = (-b + sqrtf(under_root)) / 2;
    if (root == 0 && c > 0.001f)
        byway_report("zero is called a root, and is none");
    return TWO_ROOTS;
}

int main(void) {
    float x, b, c;
    byway_make_symbolic(&x, sizeof x, "x");
    if (isnan(x))
        return 1;
    if (x * x == 2.25f) {
        if (x < 0)
            return 2;
        return 3;
    }
    byway_make_symbolic(&b, sizeof b, "b");
    byway_make_symbolic(&c, sizeof c, "c");
    return solve(b, c);
}
