// A wide read whose last bytes lie past the end of the block.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *p = malloc(10);
    memset(p, 1, 10);
    uint64_t v = *(uint64_t *)(p + 2);
    v += *(uint64_t *)(p + 3); // FAULT out-of-bounds
    free(p);
    return (int)v;
}
