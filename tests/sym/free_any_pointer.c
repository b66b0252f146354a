// A pointer of any value is freed: one path for null, one for each live heap object, and one
// for each kind of fault, not one for each value.
// paths: 5
// exits: 3
// exit-codes: 0 1 2
// faults: double-free@19, invalid-free@19
// replay: no
#include <byway.h>
#include <stdlib.h>

int main(void)
{
    char *pointer;
    byway_make_symbolic(&pointer, sizeof pointer, "pointer");
    char *first = malloc(10), *second = malloc(20), *gone = malloc(30);
    if (!first || !second || !gone)
        return 3;
    free(gone);
    free(pointer);
    return pointer == first ? 1 : pointer == second ? 2 : 0;
}
