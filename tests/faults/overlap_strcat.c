// strcat of a string to itself.
// flags: -fno-builtin
#include <string.h>

int main(void) {
    char text[32] = "ab";
    strcat(text, "cd");
    strcat(text, text); // FAULT overlap
    return 0;
}
