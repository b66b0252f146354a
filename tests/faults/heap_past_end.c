// One element past the end of a heap array, written.
#include <stdlib.h>

int main(void) {
    int *p = malloc(10 * sizeof *p);
    for (int i = 0; i < 10; i++)
        p[i] = i;
    p[10] = 1; // FAULT out-of-bounds
    free(p);
    return 0;
}
