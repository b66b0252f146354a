// A byte wraps around at 255, an int does not.
// input: 1
#include <byway.h>

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    unsigned char next = x + 1;
    if (next < x)
        return 1; // TARGET reached
    if (x + 1 < x)
        return 2; // TARGET unreachable
    return 0;
}
