// A shift by at least the width, with the shift check enabled.
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
