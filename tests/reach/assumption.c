// An assumption takes out all other inputs.
// input: 1
#include <byway.h>

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    byway_assume(x % 8 == 5);
    if (x % 2 == 0)
        return 1; // TARGET unreachable
    if (x == 5 + 8 * 20)
        return 2; // TARGET reached
    if (x == 9)
        return 3; // TARGET unreachable
    return 0;
}
