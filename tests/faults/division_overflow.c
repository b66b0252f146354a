// The most negative int divided by minus one.
#include <limits.h>

int main(void) {
    volatile int a = INT_MIN, b = -1;
    return a / b; // FAULT division-overflow
}
