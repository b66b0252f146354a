// A structure that was not passed, read by va_arg from registers.
#include <stdarg.h>

struct pair {
    long a, b;
};

static long second(int count, ...) {
    va_list list;
    va_start(list, count);
    struct pair pair = va_arg(list, struct pair); // FAULT out-of-bounds
    va_end(list);
    return pair.b;
}

int main(void) {
    struct pair pair = {1, 2};
    return second(1, pair) == 2 ? second(1, 3L) : 9;
}
