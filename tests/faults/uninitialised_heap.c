// A read of an uninitialised heap byte.
#include <stdlib.h>

int main(void) {
    int *p = malloc(4 * sizeof *p);
    for (int i = 0; i < 3; i++)
        p[i] = i;
    return p[3]; // FAULT uninitialised-read
}
