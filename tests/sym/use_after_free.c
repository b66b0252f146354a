// Freed on one path, used on all.
// paths: 2
// exit-codes: 4
// faults: use-after-free@18
#include <byway.h>
#include <stdlib.h>

int main(void)
{
    unsigned char c;
    byway_make_symbolic(&c, sizeof c, "c");
    int *block = malloc(sizeof *block);
    if (!block)
        return 3;
    *block = 4;
    if (c == 42)
        free(block);
    return *block;
}
