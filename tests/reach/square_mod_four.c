// A square leaves 0 or 1 when divided by four.
// input: 1
#include <byway.h>

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    unsigned square = (unsigned)x * x;
    if (square % 4 == 2)
        return 2; // TARGET unreachable
    if (square % 4 == 3)
        return 3; // TARGET unreachable
    if (square % 4 == 1)
        return 1; // TARGET reached
    return 0; // TARGET reached
}
