// Division by what may be zero, and the one division that overflows.
// paths: 5
// exits: 2
// faults: division-by-zero@11, division-overflow@11, division-by-zero@12
#include <byway.h>

int main(void)
{
    int a = byway_int("a"), b = byway_int("b");
    unsigned c = (unsigned)byway_int("c");
    int quotient = a / b;
    unsigned rest = 100u % c;
    return quotient == 12345 && rest == 7;
}
