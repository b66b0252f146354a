// A long double is given the value of one input, so the search cannot exclude the target.
// input: 1
#include <byway.h>

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    if (x == 7)
        return 1; // TARGET reached
    long double third = (long double)x / 3;
    if (third * 3 > 255.5L)
        return 2; // TARGET undecided
    return 0;
}
