// Boolean vectors and masked memory: disabled lanes must not access memory.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef _Bool m8 __attribute__((ext_vector_type(8)));
typedef int32_t i8 __attribute__((ext_vector_type(8)));
typedef float f8 __attribute__((ext_vector_type(8)));

static void show(i8 v) {
    for (int k = 0; k < 8; k++)
        printf("%d ", v[k]);
    printf("\n");
}

__attribute__((noinline)) static i8 load(m8 mask, int *p, i8 otherwise) { return __builtin_masked_load(mask, p, otherwise); }
__attribute__((noinline)) static void store(m8 mask, i8 v, int *p) { __builtin_masked_store(mask, v, p); }
__attribute__((noinline)) static i8 expand(m8 mask, int *p, i8 otherwise) { return __builtin_masked_expand_load(mask, p, otherwise); }
__attribute__((noinline)) static void compress(m8 mask, i8 v, int *p) { __builtin_masked_compress_store(mask, v, p); }
__attribute__((noinline)) static i8 gather(m8 mask, i8 indices, int *p) { return __builtin_masked_gather(mask, indices, p, -indices); }
__attribute__((noinline)) static void scatter(m8 mask, i8 indices, i8 v, int *p) { __builtin_masked_scatter(mask, indices, v, p); }

int main(void) {
    int *p = malloc(5 * sizeof *p);
    for (int i = 0; i < 5; i++)
        p[i] = 10 * i + 1;
    i8 nothing = {-1, -2, -3, -4, -5, -6, -7, -8};
    show(load((m8){1, 0, 1, 1, 1, 0, 0, 0}, p, nothing));
    store((m8){0, 1, 0, 0, 1, 0, 0, 0}, nothing, p);
    for (int i = 0; i < 5; i++)
        printf("%d ", p[i]);
    printf("\n");
    show(expand((m8){0, 1, 0, 1, 0, 1, 1, 1}, p, nothing));
    compress((m8){1, 0, 0, 1, 0, 0, 1, 1}, nothing * 2, p);
    for (int i = 0; i < 5; i++)
        printf("%d ", p[i]);
    printf("\n");
    show(gather((m8){1, 1, 1, 0, 0, 0, 1, 1}, (i8){4, 3, 2, 1000000, -5, 99, 0, 1}, p));
    scatter((m8){0, 0, 1, 1, 0, 0, 0, 0}, (i8){9, 9, 0, 4, 9, 9, 9, 9}, (i8){1, 2, 3, 4, 5, 6, 7, 8}, p);
    for (int i = 0; i < 5; i++)
        printf("%d ", p[i]);
    printf("\n");
    m8 a = {1, 0, 1, 0, 1, 1, 0, 0}, b = {1, 1, 0, 0, 1, 0, 1, 0};
    m8 c = (a & b) | (~a & ~b);
    unsigned char byte = __builtin_bit_cast(unsigned char, c);
    printf("%02x %d %d\n", byte, __builtin_reduce_or(c), __builtin_reduce_and(c));
    free(p);
    return 0;
}
