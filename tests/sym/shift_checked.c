// A shift by the width or more, where that is asked for.
// paths: 2
// exit-codes: 0
// faults: invalid-shift@12
// checks: shift
#include <byway.h>

int main(void)
{
    unsigned char n;
    byway_make_symbolic(&n, sizeof n, "n");
    return (1u << n) == 0;
}
