// A structure that was not passed, read by va_arg from the stack, where a smaller one is.
#include <stdarg.h>

struct large {
    long a[5];
};

struct small {
    long a[3];
};

static long last(int count, ...) {
    va_list list;
    va_start(list, count);
    struct large large = va_arg(list, struct large); // FAULT out-of-bounds
    va_end(list);
    return large.a[4];
}

int main(void) {
    struct large large = {{1, 2, 3, 4, 5}};
    struct small small = {{1, 2, 3}};
    return last(1, large) == 5 ? last(2, small, small) : 9;
}
