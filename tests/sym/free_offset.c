// A block is freed at a symbolic offset: right for offset 0, and one fault for all others.
// paths: 2
// exit-codes: 0
// faults: invalid-free@15
#include <byway.h>
#include <stdlib.h>

int main(void)
{
    unsigned offset;
    byway_make_symbolic(&offset, sizeof offset, "offset");
    char *block = malloc(1000);
    if (!block)
        return 3;
    free(block + offset);
    return (int)offset;
}
