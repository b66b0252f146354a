// memset of one byte too many.
#include <stdlib.h>
#include <string.h>

int main(void) {
    size_t n = 32;
    char *p = malloc(n - 1);
    memset(p, 0, n); // FAULT out-of-bounds
    free(p);
    return 0;
}
