// int addition that overflows, with the check on.
// checks: signed-overflow
#include <limits.h>

int main(void) {
    volatile int big = INT_MAX;
    unsigned fine = (unsigned)big + 1;
    int sum = big - 1;
    sum = big + 1; // FAULT signed-overflow
    return (int)(sum + fine);
}
