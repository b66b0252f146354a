// A write at a symbolic index sets one byte: only that one is defined.
// paths: 2
// exit-codes: 0
// faults: uninitialised-read@14
#include <byway.h>

int main(void)
{
    unsigned char v[8], i, j;
    byway_make_symbolic(&i, sizeof i, "i");
    byway_make_symbolic(&j, sizeof j, "j");
    byway_assume((i < 8) & (j < 8));
    v[i] = 9;
    if (v[j] != 9)
        return 1;
    return 0;
}
