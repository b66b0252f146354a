// Vectors of all sizes as arguments, results, struct members and variadic arguments.
// flags: -Wno-psabi
#include <stdarg.h>
#include <stdio.h>

typedef int v1 __attribute__((vector_size(4)));
typedef short v4s __attribute__((vector_size(8)));
typedef int v2 __attribute__((vector_size(8)));
typedef int v4 __attribute__((vector_size(16)));
typedef int v8 __attribute__((vector_size(32)));
typedef double d8 __attribute__((vector_size(64)));
typedef float f3 __attribute__((ext_vector_type(3)));
struct holder { char tag; v4 v; f3 f; };

#define N __attribute__((noinline))
N v1 one(v1 a) { return a + 1; }
N v4s shorts(v4s a, v4s b) { return a * b; }
N v2 two(v2 a, int s) { return a << s; }
N v4 four(v4 a, v4 b, v4 c, v4 d, v4 e, v4 f, v4 g, v4 h, v4 i) { return a + b - c + d - e + f - g + h - i; }
N v8 eight(v8 a, v2 b) { return a + b[0] - b[1]; }
N d8 wide(d8 a, double s) { return a * s; }
N f3 three(f3 a) { return a.yzx; }
N struct holder hold(struct holder h) {
    h.v = -h.v;
    h.f *= 2;
    h.tag++;
    return h;
}
N int variadic(int n, ...) {
    va_list list;
    va_start(list, n);
    int s = 0;
    for (int i = 0; i < n; i++) {
        v4 v = va_arg(list, v4);
        s = s * 3 + v[0] + v[3] + va_arg(list, int);
    }
    va_end(list);
    return s;
}

int main(void) {
    v4 k = {1, 2, 3, 4};
    v4s s = shorts((v4s){1, 2, 3, 4}, (v4s){5, 6, 7, 8});
    v2 t = two((v2){3, 4}, 2);
    v4 f = four(k, k, k * 2, k, k, k * 3, k, k, k * 5);
    v8 e = eight((v8){1, 2, 3, 4, 5, 6, 7, 8}, (v2){10, 3});
    d8 w = wide((d8){1, 2, 3, 4, 5, 6, 7, 8}, 0.5);
    f3 g = three((f3){1, 2, 3});
    struct holder h = hold((struct holder){'a', k, g});
    printf("%d %d %d %d %d %g %g\n", one((v1){41})[0], s[3], t[1], f[2], e[7], w[7], (double)g[2]);
    printf("%c %d %g %d\n", h.tag, h.v[3], (double)h.f[0], variadic(3, k, 1, k * 2, 2, k * 3, 3));
    return 0;
}
