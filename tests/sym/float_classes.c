// isnan, isinf, fabs, floor and ceil of the C library.
// exit-codes: 1 2 3 4 5
// faults: none
#include <byway.h>
#include <math.h>

int main(void)
{
    double x;
    byway_make_symbolic(&x, sizeof x, "x");
    if (isnan(x))
        return 1;
    if (isinf(x))
        return 2;
    if (fabs(x) > 1e300)
        return 3;
    if (floor(x) == x)
        return 4;
    if (ceil(x) - floor(x) != 1.0)
        return 9;
    return 5;
}
