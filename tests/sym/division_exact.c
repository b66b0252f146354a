// Quotient and remainder equal the processor's for all 8-bit numbers.
// paths: 6
// exit-codes: 0 1 2 3
// faults: division-by-zero@12
#include <byway.h>

int main(void)
{
    signed char a, b;
    byway_make_symbolic(&a, sizeof a, "a");
    byway_make_symbolic(&b, sizeof b, "b");
    int quotient = a / b;
    int rest = a % b;
    if (quotient * b + rest != a)
        return 9;
    if (rest < 0 && a > 0)
        return 9;
    if (quotient == -128)
        return 1;
    if (rest == -126)
        return 2;
    if (quotient == 128)
        return 3;
    return 0;
}
