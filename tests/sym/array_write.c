// A write at one symbolic index and a read at another: the indices are equal, or not.
// paths: 2
// exit-codes: 0 1
// faults: none
#include <byway.h>

int main(void)
{
    unsigned char cell[8] = {0};
    unsigned char i, j;
    byway_make_symbolic(&i, sizeof i, "i");
    byway_make_symbolic(&j, sizeof j, "j");
    cell[i & 7] = 5;
    if (cell[j & 7] == 5)
        return 1;
    return 0;
}
