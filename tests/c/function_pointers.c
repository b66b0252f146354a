// Calls through pointers: tables, callbacks, returned functions, casts between compatible types, comparison.
#include <stdio.h>
#include <stdlib.h>

typedef int (*binary)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static const struct { const char *name; binary f; } table[] = {{"add", add}, {"sub", sub}, {"mul", mul}};

static binary choose(int i) { return table[i % 3].f; }
static binary (*chooser(void))(int) { return choose; }

struct shape {
    double (*area)(const struct shape *);
    double a, b;
};
static double rectangle(const struct shape *s) { return s->a * s->b; }
static double circle(const struct shape *s) { return 3 * s->a * s->a; }

static int fold(const int *v, int n, binary f, int start) {
    for (int i = 0; i < n; i++)
        start = f(start, v[i]);
    return start;
}
static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void count(void *context, int x) { *(int *)context += x; }
static void each(int n, void (*f)(void *, int), void *context) {
    while (n)
        f(context, n--);
}
static void nothing(void) {}
static int default_answer(void) { return 42; }
static int (*volatile hook)(void) = default_answer;

int main(void) {
    int v[] = {5, 3, 9, -2, 7};
    for (int i = 0; i < 6; i++)
        printf("%s %d %d\n", table[i % 3].name, chooser()(i)(10, i), fold(v, 5, choose(i), 1));
    struct shape shapes[] = {{rectangle, 2, 3}, {circle, 1.5, 0}};
    for (int i = 0; i < 2; i++)
        printf("%g\n", shapes[i].area(&shapes[i]));
    qsort(v, 5, sizeof *v, by_value);
    printf("%d %d\n", v[0], v[4]);
    int total = 0;
    each(10, count, &total);
    void (*f)(void) = nothing;
    f();
    printf("%d %d %d %d\n", total, f == nothing, choose(0) != choose(1), hook());
    hook = (int (*)(void))(void *)default_answer;
    binary g = (binary)(void (*)(void))mul;
    printf("%d %d %d\n", hook(), g(6, 7), (*****add)(1, 1));
    return 0;
}
