// A second free under two conditions; free of an address that is not the start of an
// object; free of memory that is not from the heap.
// paths: 6
// faults: double-free@20, invalid-free@22, invalid-free@24
// exit-codes: 0
#include <byway.h>
#include <stdlib.h>

int main(void)
{
    unsigned char a;
    int local = 0;
    byway_make_symbolic(&a, sizeof a, "a");
    char *block = malloc(8);
    if (!block)
        return 3;
    if (a & 1)
        free(block);
    if (a > 253)
        free(block);
    else if (a == 8)
        free(block + 1);
    else if (a == 16)
        free(&local);
    return 0;
}
