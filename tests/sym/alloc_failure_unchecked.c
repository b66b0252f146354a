// The result of malloc is not checked; the one of realloc is, and the old object stays valid.
// paths: 3
// faults: null-dereference@12
// exit-codes: 0 1
// run: --alloc-failures 1
#include <stdlib.h>

int main(void)
{
    char *block = malloc(4);
    /* Fails on the path of the first allocation. */
    block[0] = 7;
    char *more = realloc(block, 8);
    int status = more ? more[0] != 7 : block[0] == 7;
    free(more ? more : block);
    return status;
}
