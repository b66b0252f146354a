/* The roots of x * x + b * x + c, by the formula that everyone learns at school, and
 * numbers whose square is 2.25. Floating point is exact here: what Byway solves for
 * are the IEEE operations of the machine, roundings included.
 *
 *     byway run examples/roots.c
 *
 * What it shows: inputs for conditions on floats, NaN and infinity among them; and a
 * division whose result is not what mathematics says.
 */
// paths: ?
// faults: reported@? x1
#include <byway.h>
#include <math.h>

enum kind { NOT_A_NUMBER, NO_ROOT, ONE_ROOT, TWO_ROOTS };

static enum kind roots(float b, float c) {
    float discriminant = b * b - 4 * c;
    if (isnan(discriminant))
        return NOT_A_NUMBER;
    if (discriminant < 0)
        return NO_ROOT;
    if (discriminant == 0)
        return ONE_ROOT;
    return TWO_ROOTS;
}

int main(void) {
    float x, b, c;
    byway_make_symbolic(&x, sizeof x, "x");
    if (x * x == 2.25f)
        return x < 0 ? 10 : 11;
    if (x != 0 && x / 3 * 3 != x && x > 1 && x < 2)
        byway_report("a third, three times, is not the whole");
    byway_make_symbolic(&b, sizeof b, "b");
    byway_make_symbolic(&c, sizeof c, "c");
    return roots(b, c);
}
