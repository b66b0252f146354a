// An int read at any of four places, where alignment is asked for.
// paths: 3
// exit-codes: 0 1
// faults: misaligned@14
// checks: alignment
#include <byway.h>

int main(void)
{
    static _Alignas(16) unsigned char bytes[16] = {0, 0, 0, 0, 1};
    unsigned char i;
    byway_make_symbolic(&i, sizeof i, "i");
    byway_assume(i <= 12);
    if (*(int *)(bytes + i) == 1)
        return 1;
    return 0;
}
