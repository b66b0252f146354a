// One byte before a heap block, read.
#include <stdlib.h>

int main(void) {
    volatile char *p = calloc(8, 1);
    int sum = p[0] + p[7];
    sum += p[-1]; // FAULT out-of-bounds
    return sum;
}
