// realloc of a freed block.
#include <stdlib.h>

int main(void) {
    char *p = malloc(10);
    free(p);
    p = realloc(p, 20); // FAULT double-free
    return p == 0;
}
