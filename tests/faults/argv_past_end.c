// Past the end of an argument string.
#include <string.h>

int main(int argc, char **argv) {
    char copy[4] = {0};
    const char *name = "abcdefgh";
    for (int i = 0; i <= (int)strlen(name); i++)
        copy[i] = name[i]; // FAULT out-of-bounds
    return copy[0];
}
