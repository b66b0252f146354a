// Negation of the most negative int.
// checks: signed-overflow
#include <limits.h>

int main(void) {
    volatile int x = INT_MIN;
    return -x; // FAULT signed-overflow
}
