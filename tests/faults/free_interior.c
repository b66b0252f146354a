// free of a pointer into the middle of a block.
#include <stdlib.h>

int main(void) {
    char *p = malloc(10);
    while (*p++ = 'x', p[-1] != 'x')
        ;
    free(p); // FAULT invalid-free
    return 0;
}
