// Bubble sort of three numbers: one path per order, equal numbers included.
// paths: 6
// exit-codes: 0
// faults: none
#include <assert.h>
#include <byway.h>

int main(void)
{
    unsigned char b[3];
    byway_make_symbolic(b, sizeof b, "b");
    for (int end = 2; end > 0; end--)
        for (int i = 0; i < end; i++)
            if (b[i] > b[i + 1]) {
                unsigned char kept = b[i];
                b[i] = b[i + 1];
                b[i + 1] = kept;
            }
    assert(b[0] <= b[1] && b[1] <= b[2]);
    return 0;
}
