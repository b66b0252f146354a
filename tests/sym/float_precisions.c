// Conversions between float and double: values that lose precision, and values that do not.
// paths: 5
// exit-codes: 0 1 2 3
#include <byway.h>

int main(void)
{
    double d;
    byway_make_symbolic(&d, sizeof d, "d");
    float f = (float)d;
    if (f != f)
        return 1;
    if ((double)f != d)
        return 2; // rounded, or too large
    if (f == 16777217.0f && d == 16777217.0) // no float
        return 9;
    if (d == 0.5)
        return 3;
    return 0;
}
