// An address with its upper bits set.
#include <stdint.h>

int main(void) {
    volatile uintptr_t v = 0xdeadbeefdeadbee0u;
    *(char *)v = 1; // FAULT wild-pointer
    return 0;
}
