// A null pointer read.
#include <stddef.h>

static int first(const int *p) {
    return *p; // FAULT null-dereference
}

int main(void) {
    int x = 3, *q = NULL;
    return first(&x) + first(q);
}
