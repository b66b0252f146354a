// Writing to a heap block after it was freed.
#include <stdlib.h>

int main(void) {
    char *p = malloc(4), *q = malloc(4);
    free(p);
    q[0] = 1;
    p[0] = 1; // FAULT use-after-free
    free(q);
    return 0;
}
