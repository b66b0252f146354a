// Conditions over several lines: each operand is evaluated only if the ones before let it be.
// input: 1
#include <byway.h>

static int above(int x, int y) { return x > y; }

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    if (x > 10 &&
        above(x, 20) && // TARGET reached
        x < 15 &&
        above(x, 11)) // TARGET unreachable
        return 1; // TARGET unreachable
    if (x < 100 ||
        above(x, 99) || // TARGET reached
        above(x, 120)) // TARGET unreachable
        return 2; // TARGET reached
    return 0; // TARGET unreachable
}
