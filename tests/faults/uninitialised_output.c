// Bytes that were never set, passed to a system call.
#include <unistd.h>

int main(void) {
    char text[4];
    text[0] = 'a';
    text[1] = 'b';
    text[3] = '\n';
    write(1, text, sizeof text); // FAULT uninitialised-read
    return 0;
}
