// strlen of an array without a terminator.
#include <string.h>

int main(void) {
    char text[4] = {'a', 'b', 'c', 'd'};
    return (int)strlen(text); // FAULT out-of-bounds
}
