// A pointer is replaced before it is called.
// input: 1
#include <byway.h>

static int refuse(int x)
{
    return x - x; // TARGET unreachable
}

static int accept(int x)
{
    return x == 9; // TARGET reached
}

static int (*handler)(int) = refuse;

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    if (x > 8)
        handler = accept;
    if (x > 7 && handler == refuse)
        return 3; // TARGET reached
    if (x > 8 && handler(x))
        return 1; // TARGET reached
    if (x < 5 && handler == accept)
        return 2; // TARGET unreachable
    return 0;
}
