// A read through a pointer to one of two blocks, just outside one of them, or to no object at
// all: one path for each block, and one for each kind of fault.
// paths: 5
// exits: 2
// exit-codes: 5 7
// faults: null-dereference@22, wild-pointer@22, out-of-bounds@22
// replay: no
#include <byway.h>
#include <stdlib.h>

int main(void)
{
    char *pointer, *block = malloc(8), *other = malloc(8);
    if (!block || !other)
        return 3;
    block[0] = 5, other[0] = 7;
    byway_make_symbolic(&pointer, sizeof pointer, "pointer");
    unsigned long at = (unsigned long)pointer;
    byway_assume((at < 1ul << 24) | (at == (unsigned long)block) | (at == (unsigned long)other)
                 | (at == (unsigned long)block - 1) | (at == (unsigned long)other + 8)
                 | (at > 1ul << 60));
    return *pointer;
}
