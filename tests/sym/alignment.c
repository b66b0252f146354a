// An int read at any of four offsets, with the alignment check enabled.
// paths: 3
// exit-codes: 0 1
// faults: misaligned@10
// checks: alignment
#include <byway.h>

static int number_at(const void *place)
{
    return *(const int *)place;
}

int main(void)
{
    static _Alignas(16) unsigned char bytes[16] = {0, 0, 0, 0, 1};
    unsigned char i;
    byway_make_symbolic(&i, sizeof i, "i");
    byway_assume(i <= 12);
    if (number_at(bytes + i) == 1)
        return 1;
    return 0;
}
