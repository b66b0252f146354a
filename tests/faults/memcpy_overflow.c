// memcpy past the end of the source.
#include <string.h>

int main(void) {
    char from[8] = "1234567", to[32];
    volatile size_t n = 9;
    memcpy(to, from, n); // FAULT out-of-bounds
    return to[0];
}
