// A read of uninitialised bytes that realloc added.
#include <stdlib.h>

int main(void) {
    char *p = calloc(4, 1);
    p = realloc(p, 8);
    int sum = p[0] + p[3];
    return sum + p[4]; // FAULT uninitialised-read
}
