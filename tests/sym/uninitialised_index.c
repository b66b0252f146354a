// An array with one element that was never set, read at a symbolic index; then all are set.
// paths: 4
// exit-codes: 0 1 2
// faults: uninitialised-read@22
#include <byway.h>

int main(void)
{
    unsigned char v[8], i, j;
    byway_make_symbolic(&i, sizeof i, "i");
    byway_make_symbolic(&j, sizeof j, "j");
    byway_assume((i < 8) & (j < 8));
    for (int k = 0; k < 7; k++)
        v[k] = k;
    if (j == 0) {
        v[7] = 1;
        v[i] = 9;
        if (v[i] != 9)
            return 3;
        return 0;
    }
    if (v[i] == 3)
        return 1;
    return 2;
}
