// libc reads freed memory: reported at the caller's line.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *name = strdup("name");
    free(name);
    puts(name); // FAULT use-after-free
    return 0;
}
