// Hints and questions to the compiler: expect, assume, prefetch, annotations, object sizes, frame addresses, cycle counters.
// flags: -D_GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>

struct marked { int plain; int noted __attribute__((annotate("noted"))); };

#define N __attribute__((noinline)) static
N int expected(int x) { return __builtin_expect(x > 10, 0) ? 1 : __builtin_expect_with_probability(x, 5, 0.75) == 5 ? 2 : 3; }
N int assumed(int x) {
    __builtin_assume(x > 0);
    [[assume(x < 1000)]];
    return x / 4;
}
N size_t size_of(void *p) { return __builtin_object_size(p, 0) + __builtin_object_size(p, 2); }
N size_t size_known(void) {
    char buffer[20];
    memset(buffer, 'a', sizeof buffer);
    return __builtin_object_size(buffer + 4, 0) + __builtin_dynamic_object_size(buffer + 1, 1);
}
N int constant(int x) { return __builtin_constant_p(x) * 10 + __builtin_constant_p(7); }
N int annotated(struct marked *m) {
    int local __attribute__((annotate("local"))) = m->noted;
    int value = __builtin_annotation(local, "value");
    return value + m->plain;
}
N int frames(void) {
    void *volatile here = __builtin_frame_address(0), *volatile back = __builtin_return_address(0);
    (void)here, (void)back;
    return 1;
}
static inline void add(int *restrict to, const int *restrict from, int n) {
    for (int i = 0; i < n; i++)
        to[i] += from[i];
}
N int restricted(int *a, int *b, int n) {
    add(a, b, n);
    add(b, a, n);
    return a[n - 1] + b[0];
}
N unsigned long long cycles(void) { return (__builtin_readcyclecounter() | __rdtsc()) & 0; }

int main(void) {
    int v[8] = {1, 2, 3, 4, 5, 6, 7, 8}, w[8] = {8, 7, 6, 5, 4, 3, 2, 1};
    __builtin_prefetch(v);
    __builtin_prefetch(v + 4, 1, 2);
    __builtin___clear_cache((char *)v, (char *)(v + 8));
    _mm_clflush(v);
    printf("%d%d%d %d\n", expected(20), expected(5), expected(6), assumed(401));
    void *block = malloc(12);
    printf("%d %zu %d\n", size_of(block) == (size_t)-1, size_known(), constant(v[0]));
    free(block);
    struct marked m = {3, 4};
    printf("%d %d %d %llu\n", annotated(&m), frames(), restricted(v, w, 8), cycles());
    int *aligned = __builtin_assume_aligned(v, 4);
    printf("%d %d\n", aligned[3], __builtin_unpredictable(v[1] > 3) ? 1 : 2);
    return __builtin_choose_expr(1, 6, v);
}
