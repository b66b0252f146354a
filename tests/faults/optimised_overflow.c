// The optimiser removes the comparison, but not the check before it.
// checks: signed-overflow
// opt: -O2
#include <limits.h>

__attribute__((noinline)) static int grows(int x) {
    return x + 1 > x; // FAULT signed-overflow
}

int main(void) {
    volatile int x = INT_MAX;
    return grows(x);
}
