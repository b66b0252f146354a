// A configuration that nothing changes.
// input: 1
#include <byway.h>

static int verbose = 0;
static const int limit = 40;

static void report(int x)
{
    if (verbose)
        verbose = x; // TARGET unreachable
}

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    if (x > limit)
        return 0;
    report(x);
    if (x > 40)
        return 1; // TARGET unreachable
    if (x == 40)
        return 2; // TARGET reached
    return 0;
}
