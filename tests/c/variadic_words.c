// Variadic arguments that are read with the type they were passed with, after promotion, and
// structures with padding.
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

struct padded {
    long a;
    int b;
};

struct three {
    char a[3];
};

struct mixed {
    double a;
    short b;
};

static long sum(int count, ...) {
    va_list list;
    long all = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++) {
        struct padded padded = va_arg(list, struct padded), copy = padded;
        struct three three = va_arg(list, struct three);
        struct mixed mixed = va_arg(list, struct mixed);
        all += copy.a + padded.b + three.a[2] + (long)mixed.a + mixed.b;
    }
    va_end(list);
    return all;
}

int main(void) {
    struct padded padded = {1, 2};
    struct three three = {{3, 4, 5}};
    struct mixed mixed = {6.5, 7};
    char c = -1;
    short s = -2;
    _Bool b = 1;
    float f = 0.5;
    size_t size = 9;
    int read = 0;

    printf("%ld\n", sum(3, padded, three, mixed, padded, three, mixed, padded, three, mixed));
    printf("%d %u %hhd %hd %d %f %zu\n", c, 4000000000u, c, s, b, f, size);
    printf("%c %ld %lu %jd %lld %x\n", 'x', -5L, 6UL, (intmax_t)-7, -8LL, -1);
    printf("%*d %.*s %Lf\n", 5, 6, 2, "abc", 1.5L);
    sscanf("17", "%d", &read);
    printf("%d %d\n", read, fcntl(1, F_SETFD, FD_CLOEXEC));
    return 0;
}
