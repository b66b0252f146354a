// sprintf into a heap block that is too small, deep inside libc.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *p = malloc(5);
    sprintf(p, "%d", 1234);
    sprintf(p, "%d", 12345); // FAULT out-of-bounds
    free(p);
    return 0;
}
