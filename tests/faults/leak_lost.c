// An object whose only pointer is overwritten.
// checks: leak
#include <stdlib.h>

static char *kept;

int main(void) {
    char *lost = malloc(24); // FAULT leak
    kept = malloc(8);
    lost[0] = 1;
    return lost[0] - 1;
}
