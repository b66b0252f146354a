// Assignments to a local variable that lives in a register.
// input: 1
#include <byway.h>

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    int y = 0;
    if (x > 250)
        y = 1; // TARGET reached
    else if (x > 251)
        y = 2; // TARGET unreachable
    if (x == 3)
        y = x; // TARGET reached
    if (x == 4 && y == 1)
        y = 4; // TARGET unreachable
    return y;
}
