// Two writes that may alias: the later one overrides, and adjacent elements are unchanged.
// paths: 4
// exit-codes: 0 1 2 3
#include <byway.h>

int main(void)
{
    unsigned cell[8] = {0};
    unsigned char i, j, k;
    byway_make_symbolic(&i, sizeof i, "i");
    byway_make_symbolic(&j, sizeof j, "j");
    byway_make_symbolic(&k, sizeof k, "k");
    byway_assume((i < 8) & (j < 8) & (k < 8));
    cell[i] = 0x01010101;
    cell[j] = 0x02020202;
    unsigned found = cell[k];
    if (found == 0x01010101)
        return 1;
    if (found == 0x02020202) {
        if (i == j)
            return 2;
        return 3;
    }
    if (found != 0)
        return 9;
    return 0;
}
