// A pointer that is set on one path and used on another, in a register.
#include <string.h>

static int f(int x) {
    return x;
}

int main(int argc, char **argv) {
    char *p, b[25];
    if (f(argc) == 0)
        p = "s";
    if (f(argc) > 0)
        strcpy(b, p); // FAULT uninitialised-read
    return 0;
}
