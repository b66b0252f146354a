// A number is even or odd, not both.
// input: 1
#include <byway.h>

static int odd(int n);

static int even(int n)
{
    if (n == 0)
        return 1; // TARGET reached
    if (n < 0)
        return 2; // TARGET unreachable
    return odd(n - 1);
}

static int odd(int n)
{
    if (n == 0)
        return 0; // TARGET reached
    return even(n - 1);
}

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    x &= 15;
    if (even(x) == odd(x))
        return 1; // TARGET unreachable
    if (odd(x) && x == 13)
        return 2; // TARGET reached
    return 0;
}
