// A fault in a callback: libc frames are between it and the call of qsort.
#include <stdlib.h>

static int order(const void *a, const void *b) {
    const int *p = a, *q = b;
    return p[0] - q[4]; // FAULT out-of-bounds
}

int main(void) {
    int v[4] = {3, 1, 2, 0};
    qsort(v, 4, sizeof *v, order);
    return v[0];
}
