// An integer used as an address.
#include <stdint.h>

int main(void) {
    volatile uintptr_t v = 0x123456789abcu;
    int *p = (int *)v;
    return *p; // FAULT wild-pointer
}
