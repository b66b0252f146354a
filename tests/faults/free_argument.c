// free of an argument, which was not allocated.
#include <stdlib.h>

int main(int argc, char **argv) {
    free(argv[0]); // FAULT invalid-free
    return argc;
}
