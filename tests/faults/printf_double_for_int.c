// %f for an int.
// flags: -Wno-format
#include <stdio.h>

int main(void) {
    printf("%f\n", 5); // FAULT out-of-bounds
    return 0;
}
