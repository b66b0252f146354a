// An object of symbolic size: a write at a fixed offset is out of bounds for small sizes
// and valid for large ones.
// exit-codes: 0
// faults: out-of-bounds@17 x?
// lost: any
#include <byway.h>
#include <stdlib.h>

int main(void)
{
    unsigned char size;
    byway_make_symbolic(&size, sizeof size, "size");
    byway_assume((size > 0) & (size <= 8));
    char *block = malloc(size);
    if (!block)
        return 3;
    block[4] = 1;
    free(block);
    return 0;
}
