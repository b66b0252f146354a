// How deep a recursion goes.
// input: 1
#include <byway.h>

int result;

static void halve(unsigned n, int depth)
{
    if (depth == 7)
        result = 1; // TARGET reached
    if (depth == 8 && n != 0)
        result = 2; // TARGET unreachable
    if (depth > 8)
        result = 3; // TARGET unreachable
    if (n != 0)
        halve(n / 2, depth + 1);
}

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    halve(x, 0);
    return result;
}
