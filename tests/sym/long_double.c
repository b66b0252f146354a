// Long doubles are terms like other floats: converted from integers, used in arithmetic,
// accessed as their ten bytes, and rounded to a double.
// paths: 12
// run: --long-double symbolic
// faults: none
#include <byway.h>

// 40 and -40; up to 31 by magnitude; the others.
static int integers(void)
{
    short s;
    byway_make_symbolic(&s, sizeof s, "s");
    long double x = s;
    x = x * x - 1000;
    if (x == 600)
        return 1;
    if (x < 0)
        return 2;
    return 3;
}

// 5; 255, since 254 tenths are what the constant is; the others.
static int fractions(void)
{
    unsigned char c;
    byway_make_symbolic(&c, sizeof c, "c");
    long double x = c / 10.0L;
    if (x == 0.5L)
        return 1;
    if (x > 25.4L)
        return 2;
    return 3;
}

// NaNs and what is no number; one; zeros and infinities; the others.
static int patterns(void)
{
    long double x = 0;
    byway_make_symbolic(&x, 10, "x");
    if (x != x)
        return 1;
    if (x == 1.0L)
        return 2;
    if (x * 2 == x)
        return 3;
    return 4;
}

// Small ones lose bits beside the one, others do not.
static int doubles(void)
{
    double d;
    byway_make_symbolic(&d, sizeof d, "d");
    long double x = d;
    x += 1;
    if ((double)(x - 1) == d)
        return 1;
    return 0;
}

int main(void)
{
    unsigned char which;
    byway_make_symbolic(&which, sizeof which, "which");
    switch (which) {
    case 0:
        return integers();
    case 1:
        return fractions();
    case 2:
        return patterns();
    default:
        return doubles();
    }
}
