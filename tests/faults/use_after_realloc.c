// A pointer kept across realloc.
#include <stdlib.h>

int main(void) {
    int *v = malloc(4 * sizeof *v), *first = &v[0];
    *first = 1;
    v = realloc(v, 4000 * sizeof *v);
    *first = 2; // FAULT use-after-free
    free(v);
    return 0;
}
