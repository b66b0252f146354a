// The two sides of a conditional operator, on lines of their own.
// input: 1
#include <byway.h>

static int noisy(int x) { return x + 1; }

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    int y = x > 100
        ? noisy(x) // TARGET reached
        : noisy(0);
    int z = y == 101
        ? noisy(y) // TARGET unreachable
        : 0;
    return z;
}
