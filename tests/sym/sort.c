// qsort of the C library on three bytes, and a check that they are in order.
// paths: 6
// exit-codes: 0
// faults: none
#include <assert.h>
#include <byway.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

int main(void)
{
    unsigned char b[3];
    byway_make_symbolic(b, sizeof b, "b");
    qsort(b, 3, 1, compare);
    assert(b[0] <= b[1]);
    assert(b[1] <= b[2]);
    return 0;
}
