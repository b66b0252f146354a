// Swaps at symbolic indices keep the sum, and the inverse swaps restore the array.
// paths: 1
// exit-codes: 0
// faults: none
#include <assert.h>
#include <byway.h>

int main(void)
{
    unsigned char cell[4] = {10, 20, 30, 40};
    unsigned char i, j;
    byway_make_symbolic(&i, sizeof i, "i");
    byway_make_symbolic(&j, sizeof j, "j");
    i &= 3;
    j &= 3;
    for (int round = 0; round < 2; round++) {
        unsigned char kept = cell[i];
        cell[i] = cell[j];
        cell[j] = kept;
        assert(cell[0] + cell[1] + cell[2] + cell[3] == 100);
    }
    assert(cell[0] == 10 && cell[1] == 20 && cell[2] == 30 && cell[3] == 40);
    return 0;
}
