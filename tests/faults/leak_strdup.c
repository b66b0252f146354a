// An object that the C library allocated for the program, lost before exit is called.
// checks: leak
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static int first(void) {
    char *text = strdup("text"); // FAULT leak
    return text[0];
}

int main(void) {
    exit(first() != 't');
}
