// printf gets a number where the format requires a string.
#include <stdio.h>

int main(void) {
    const char *volatile format = "%d %s\n";
    printf(format, 1, 2L); // FAULT null-dereference
    return 0;
}
