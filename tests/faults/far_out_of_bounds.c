// An index so large that the address leaves the object and every other one.
#include <stdlib.h>

int main(void) {
    int *p = malloc(16);
    volatile long index = 1L << 33;
    p[index] = 5; // FAULT wild-pointer
    return 0;
}
