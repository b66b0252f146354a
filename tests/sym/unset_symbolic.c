// Memory and variables that are not set, as symbolic input.
// run: --unset-memory symbolic
// paths: 4
// exit-codes: 0 1 2 3
// faults: none
#include <stdlib.h>

int main(void)
{
    char *heap = malloc(1);
    int local[1], value;
    if (!heap)
        return 4;
    if (heap[0] == 'x')
        return 1;
    if (local[0] == 7)
        return 2;
    if (value == -5)
        return 3;
    free(heap);
    return 0;
}
