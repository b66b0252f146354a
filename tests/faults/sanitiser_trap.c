// A sanitiser's check compiled to a trap.
// flags: -fsanitize=signed-integer-overflow -fsanitize-trap=all
#include <limits.h>

int main(void) {
    volatile int x = INT_MAX;
    return x + 1; // FAULT signed-overflow
}
