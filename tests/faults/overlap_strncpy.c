// strncpy to an overlapping place; adjacent ranges do not overlap.
// flags: -fno-builtin
#include <string.h>

int main(void) {
    char text[16] = "0123456789";
    strncpy(text + 5, text, 5);
    strncpy(text, text + 4, 5); // FAULT overlap
    return 0;
}
