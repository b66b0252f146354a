// klee_print_expr accepts a value of any type.
// paths: 2
// exit-codes: 0 1
// faults: none
#include <klee/klee.h>

// Vectors of 64 bytes are passed on the stack.
#pragma clang diagnostic ignored "-Wpsabi"

typedef int four __attribute__((vector_size(16)));
typedef double eight __attribute__((vector_size(64)));
struct pair {
    long n;
    double d;
};
struct large {
    char bytes[40];
};

int main(void)
{
    int n = klee_int("n");
    double d = n;
    four v = {n, 1, 2, 3};
    eight w = {d};
    struct pair p = {n, d};
    struct large l = {{n}};
    klee_print_expr("a double", d);
    klee_print_expr("a float", (float)d);
    klee_print_expr("a long double", (long double)2);
    klee_print_expr("an integer of 128 bits", (__int128)n << 64);
    klee_print_expr("a vector", v);
    klee_print_expr("a long vector", w);
    klee_print_expr("a pair", p);
    klee_print_expr("a large structure", l);
    klee_print_expr("a pointer", &n);
    klee_print_expr("nothing");
    if (n > 3)
        return 1;
    return 0;
}
