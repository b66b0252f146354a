// strtod of the C library on a short string. The program itself has nothing to cover.

#include <stdlib.h>

#include "input.h"

int main(void) {
    char *end;
    size_t size = read_input();

    input[size] = 0;
    return strtod(input, &end) > 1 && *end == 0;
}
