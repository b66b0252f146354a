// strcpy of a string to its own middle, which overwrites its end.
// flags: -fno-builtin
#include <string.h>

int main(void) {
    char text[32] = "0123456789";
    strcpy(text, text + 11);
    strcpy(text + 16, text);
    strcpy(text, "0123456789");
    strcpy(text + 10, text); // FAULT overlap
    return 0;
}
