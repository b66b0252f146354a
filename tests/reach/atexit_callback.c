// Handlers run in reverse order when the program ends, but not after _Exit.
// input: 1
#include <byway.h>
#include <stdlib.h>

static int order;

static void last(void)
{
    if (order == 2)
        order = 3; // TARGET reached
    if (order == 1)
        order = 4; // TARGET unreachable
}

static void first(void)
{
    order = 2; // TARGET reached
}

static void only_after_quick_exit(void)
{
    order = 5; // TARGET unreachable
}

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    if (x == 9) {
        atexit(only_after_quick_exit);
        _Exit(0); // TARGET reached
    }
    atexit(last);
    atexit(first);
    order = 1;
    return 0;
}
