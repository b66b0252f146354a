// The remainder of the most negative long by minus one.
#include <limits.h>

int main(void) {
    volatile long a = LONG_MIN, b = -1;
    return (int)(a % b); // FAULT division-overflow
}
