// An access that may be below and above the bounds is one fault.
// paths: 2
// exits: 1
// faults: out-of-bounds@12
#include <byway.h>

int main(void)
{
    int table[10] = {0};
    signed char i;
    byway_make_symbolic(&i, sizeof i, "i");
    table[i] = 1;
    return 0;
}
