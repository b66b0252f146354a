// free of the list of arguments.
#include <stdlib.h>

int main(int argc, char **argv) {
    free(argv); // FAULT invalid-free
    return argc;
}
