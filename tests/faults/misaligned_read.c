// An int read at an odd address, with the alignment check on.
// checks: alignment
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *p = malloc(16);
    memset(p, 1, 16);
    int aligned = *(int *)(p + 4);
    return aligned - *(int *)(p + 5); // FAULT misaligned
}
