// Recursion: which numbers are factorials.
// input: 1
#include <byway.h>

static int factorial(int n)
{
    if (n < 2)
        return 1; // TARGET reached
    if (n > 7)
        return 0; // TARGET unreachable
    return n * factorial(n - 1);
}

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    int f = factorial(x & 7);
    if (f == 720)
        return 1; // TARGET reached
    if (f == 360)
        return 2; // TARGET unreachable
    return 0;
}
