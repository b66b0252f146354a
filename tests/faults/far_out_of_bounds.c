// An index so large that the address leaves every object.
#include <stdlib.h>

int main(void) {
    int *p = malloc(16);
    volatile long index = 1L << 33;
    p[index] = 5; // FAULT out-of-bounds
    return 0;
}
