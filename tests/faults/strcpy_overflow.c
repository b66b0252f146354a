// strcpy into a buffer that is too small is reported at the caller's line.
#include <stdio.h>
#include <string.h>

static void greet(const char *name) {
    char buffer[8];
    strcpy(buffer, name); // FAULT out-of-bounds
    puts(buffer);
}

int main(void) {
    greet("Bob");
    greet("Bartholomew");
    return 0;
}
