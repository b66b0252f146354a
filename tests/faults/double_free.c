// The same block freed twice.
#include <stdlib.h>

int main(void) {
    char *p = malloc(10);
    free(p);
    p = p + 0;
    free(p); // FAULT double-free
    return 0;
}
