// The result of realloc is lost.
// checks: leak
#include <stdlib.h>

int main(void) {
    char *block = malloc(8);
    block = realloc(block, 1000); // FAULT leak
    return block == NULL;
}
