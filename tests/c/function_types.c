// Calls through pointers to functions of other types that the ABI makes harmless.
// flags: -Wno-deprecated-non-prototype
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int ignores(int a, char *unused) {
    (void)unused;
    return a + 1;
}

static int narrow(int a) {
    return a + 2;
}

static void *pointer(void *p) {
    return p;
}

static int seen;

static void nothing(int a) {
    seen += a;
}

static int old(a, b, c) char a;
short b;
long c;
{
    return a + b + (int)c;
}

static int by_name(const char **a, const char **b) {
    return strcmp(*a, *b);
}

int main(void) {
    int (*fewer)(int) = (int (*)(int))ignores;
    int (*more)(int, int, double) = (int (*)(int, int, double))narrow;
    int (*wide)(long) = (int (*)(long))narrow;
    unsigned long (*integer)(unsigned long) = (unsigned long (*)(unsigned long))pointer;
    int (*result)(int) = (int (*)(int))nothing;
    int (*unprototyped)() = (int (*)())old;
    const char *names[] = {"c", "a", "b"};

    printf("%d %d %d\n", fewer(1), more(1, 2, 3.0), wide(1));
    printf("%lu\n", integer(7));
    result(5);
    printf("%d %d\n", seen, unprototyped('a', 2, 3L));
    qsort(names, 3, sizeof *names, (int (*)(const void *, const void *))by_name);
    printf("%s %s %s\n", names[0], names[1], names[2]);
    return 0;
}
