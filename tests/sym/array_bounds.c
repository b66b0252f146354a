// An index too low and one too high: each fault is found, and the other inputs continue.
// paths: 4
// exits: 2
// faults: out-of-bounds@13, out-of-bounds@14
#include <byway.h>

static int table[10];

int main(void)
{
    int i = byway_range(-1, 11, "i");
    if (i < 5)
        return table[i];
    return table[i];
}
