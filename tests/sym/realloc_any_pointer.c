// A pointer of any value is reallocated to a symbolic size: one path for null, one for each
// live heap object, and one for each kind of fault.
// paths: 4
// exits: 1
// exit-codes: 4
// faults: double-free@22, invalid-free@22, uninitialised-read@24
// replay: no
#include <byway.h>
#include <stdlib.h>

int main(void)
{
    char *pointer;
    unsigned char size;
    byway_make_symbolic(&pointer, sizeof pointer, "pointer");
    byway_make_symbolic(&size, sizeof size, "size");
    byway_assume((size > 4) & (size < 9));
    char *block = calloc(10, 1), *gone = malloc(10);
    if (!block || !gone)
        return 3;
    block[3] = 4, free(gone);
    pointer = realloc(pointer, size);
    return pointer == 0 ? 3 : pointer[3];
}
