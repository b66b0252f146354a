// %s for an int.
// flags: -Wno-format
#include <stdio.h>

int main(void) {
    printf("%s\n", 5); // FAULT out-of-bounds
    return 0;
}
