// strncat of the tail of a string to the string.
// flags: -fno-builtin
#include <string.h>

int main(void) {
    char text[32] = "abcdef";
    strncat(text, "gh", 1);
    strncat(text, text + 4, 3); // FAULT overlap
    return 0;
}
