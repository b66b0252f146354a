// %ld for an int.
// flags: -Wno-format
#include <stdio.h>

int main(void) {
    printf("%d %ld\n", 5, 6); // FAULT out-of-bounds
    return 0;
}
