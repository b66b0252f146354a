// free of a global array.
#include <stdlib.h>

static char buffer[16];

int main(void) {
    char *volatile p = buffer;
    free(p); // FAULT invalid-free
    return 0;
}
