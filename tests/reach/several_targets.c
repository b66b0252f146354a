// Many targets in one program, with different verdicts.
// input: 2
// target: small reached
// target: impossible unreachable
#include <byway.h>

int result;

static void small(int x) { result = x; } // TARGET reached
static void impossible(int x) { result = x; } // TARGET unreachable

int main(void)
{
    unsigned char x, y;
    byway_make_symbolic(&x, sizeof x, "x");
    byway_make_symbolic(&y, sizeof y, "y");
    if (x < 10)
        small(x); // TARGET reached
    else if (y < 10)
        result = 2; // TARGET reached
    else if (x + y < 20)
        result = 3; // TARGET unreachable
    else if (x + y == 20)
        result = 4; // TARGET reached
    if (x > y && y > x)
        impossible(x); // TARGET unreachable
    if (result == 9)
        return 1; // TARGET reached
    if (result == 10)
        return 2; // TARGET unreachable
    return 0; // TARGET reached
}
