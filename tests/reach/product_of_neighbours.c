// One of two neighbours is even, and one of three is a multiple of three.
// input: 1
#include <byway.h>

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    if (x * (x + 1) % 2 != 0)
        return 1; // TARGET unreachable
    if (x * (x + 1) * (x + 2) % 6 != 0)
        return 2; // TARGET unreachable
    if (x * (x + 1) == 182)
        return 3; // TARGET reached
    return 0;
}
