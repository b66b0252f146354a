// realloc to zero bytes frees the object and returns null, as in glibc.
#include <stdlib.h>

int main(void) {
    char *block = malloc(8);
    if (realloc(block, 0))
        return 2;
    free(block); // FAULT double-free
    return 0;
}
