// A const table written to through a cast, by memcpy.
#include <string.h>

static const int table[4] = {1, 2, 3, 4};

int main(void) {
    int fresh[4] = {5, 6, 7, 8};
    const int *volatile p = table;
    memcpy((void *)p, fresh, sizeof fresh); // FAULT write-to-constant
    return 0;
}
