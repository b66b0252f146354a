// %d for a double.
// flags: -Wno-format
#include <stdio.h>

int main(void) {
    printf("%f %d\n", 0.5, 1.5); // FAULT out-of-bounds
    return 0;
}
