// Division by a divisor that may be zero, and the one signed division that overflows.
// paths: 6
// exits: 3
// exit-codes: 0 1
// faults: division-by-zero@12, division-overflow@12, division-by-zero@13
#include <byway.h>

int main(void)
{
    int a = byway_int("a"), b = byway_int("b");
    unsigned c = (unsigned)byway_int("c");
    int quotient = a / b;
    unsigned rest = 100u % c;
    if (quotient == 12345 && rest == 7)
        return 1;
    return 0;
}
