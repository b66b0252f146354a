// Conversions between floats and integers: rounding, and values out of range.
// paths: 7
// exit-codes: 0 1 2 3 4 5 6
#include <byway.h>
#include <limits.h>

int main(void)
{
    int i = byway_int("i");
    float f;
    byway_make_symbolic(&f, sizeof f, "f");
    if ((int)(double)i != i) // never
        return 9;
    if ((double)(float)i != (double)i) // more than 24 bits
        return 1;
    int n = (int)f;
    if (n == 7) {
        if (f > 7.5f)
            return 2;
        return 3;
    }
    if (n == INT_MIN) { // what the processor gives for all that does not fit
        if (f != f)
            return 4;
        if (f > 0)
            return 5;
        return 6;
    }
    return 0;
}
