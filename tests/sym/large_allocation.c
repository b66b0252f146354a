// An allocation of symbolic size, up to 512 KiB: its bounds are symbolic too.
// paths: 3
// exit-codes: 0 1
// faults: out-of-bounds@16
#include <byway.h>
#include <stdlib.h>

int main(void)
{
    unsigned size;
    byway_make_symbolic(&size, sizeof size, "size");
    byway_assume((size > 0) & (size <= 1 << 19));
    char *block = calloc(size, 1);
    if (!block)
        return 3;
    block[300000] = 1;
    if (size > 500000)
        return 1;
    return 0;
}
