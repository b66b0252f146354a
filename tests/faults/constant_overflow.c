// An overflow that clang folds unless it checks it.
// checks: signed-overflow
// flags: -w
#include <limits.h>

int main(void) {
    return INT_MAX + 1; // FAULT signed-overflow
}
