// %s for an int, through a function of the user's own.
// flags: -Wno-format
#include <stdarg.h>
#include <stdio.h>

static int format(char *to, unsigned long size, const char *how, ...) {
    va_list list;
    va_start(list, how);
    int length = vsnprintf(to, size, how, list); // FAULT out-of-bounds
    va_end(list);
    return length;
}

int main(void) {
    char text[32];
    return format(text, sizeof text, "%d %s", 1, 2) == 0;
}
