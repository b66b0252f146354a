// scanf with an int instead of its address.
// flags: -Wno-format
#include <stdio.h>

int main(void) {
    int x = 0;
    return sscanf("12", "%d", x); // FAULT out-of-bounds
}
