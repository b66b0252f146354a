// Quotient and remainder give back the number; dividing by zero ends the path before the target.
// input: 2
#include <byway.h>

int main(void)
{
    unsigned char x, y;
    byway_make_symbolic(&x, sizeof x, "x");
    byway_make_symbolic(&y, sizeof y, "y");
    int quotient = x / y;
    if (y == 0)
        return 1; // TARGET unreachable
    if (quotient * y + x % y != x)
        return 2; // TARGET unreachable
    if (quotient == 7 && x % y == 6)
        return 3; // TARGET reached
    return 0;
}
