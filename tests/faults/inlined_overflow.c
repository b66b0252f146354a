// A fault inside an inlined function is reported at its own line.
// opt: -O2
#include <stdlib.h>

static inline void put(char *p, int at, char c) {
    *(volatile char *)(p + at) = c; // FAULT out-of-bounds
}
static inline void fill(char *p, int n, char c) {
    for (int i = 0; i < n; i++)
        put(p, i, c);
}

int main(int argc, char **argv) {
    char *p = malloc((size_t)argc * 8);
    if (!p)
        return 1;
    fill(p, argc * 9, 'x');
    int r = p[argc];
    free(p);
    return r;
}
