// Recursion of symbolic depth, and two functions that call each other.
// paths: 8
// exit-codes: 0 1 2 3 5 8 13 21
#include <byway.h>

static int odd(int n);

static int even(int n)
{
    return n == 0 ? 1 : odd(n - 1);
}

static int odd(int n)
{
    return n == 0 ? 0 : even(n - 1);
}

static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void)
{
    unsigned char n;
    byway_make_symbolic(&n, sizeof n, "n");
    byway_assume(n <= 8);
    byway_assume(n != 1);
    if (even(n) == odd(n))
        return 99;
    return fibonacci(n);
}
