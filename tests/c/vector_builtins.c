// Elementwise and reducing vector builtins, integer and float.
// flags: -lm
#include <stdint.h>
#include <stdio.h>

typedef int32_t i4 __attribute__((ext_vector_type(4)));
typedef uint16_t u8 __attribute__((ext_vector_type(8)));
typedef int8_t b16 __attribute__((ext_vector_type(16)));
typedef uint64_t q2 __attribute__((ext_vector_type(2)));
typedef float f4 __attribute__((ext_vector_type(4)));
typedef double d2 __attribute__((ext_vector_type(2)));

#define DUMP(V, N, FORMAT)                                                                         \
    do {                                                                                           \
        for (int k_ = 0; k_ < (N); k_++)                                                           \
            printf(FORMAT " ", (V)[k_]);                                                           \
        printf("\n");                                                                              \
    } while (0)

__attribute__((noinline)) static void ints(i4 a, i4 b) {
    i4 r[] = {__builtin_elementwise_min(a, b), __builtin_elementwise_max(a, b), __builtin_elementwise_abs(a),
              __builtin_elementwise_add_sat(a, b), __builtin_elementwise_sub_sat(a, b),
              __builtin_elementwise_popcount(a), __builtin_elementwise_bitreverse(b),
              __builtin_elementwise_fshl(a, b, (i4){1, 7, 33, 16}), __builtin_elementwise_fshr(a, b, (i4){0, 8, 31, 40}),
              __builtin_elementwise_clzg(a, (i4){50, 51, 52, 53}), __builtin_elementwise_ctzg(b, (i4){60, 61, 62, 63})};
    for (unsigned i = 0; i < sizeof r / sizeof *r; i++)
        DUMP(r[i], 4, "%d");
    printf("%d %d %d %d %d %d %d\n", __builtin_reduce_add(a & 0xfff), __builtin_reduce_mul(a & 0xf), __builtin_reduce_and(a),
           __builtin_reduce_or(a), __builtin_reduce_xor(b), __builtin_reduce_min(a), __builtin_reduce_max(b));
}
__attribute__((noinline)) static void shorts(u8 a, u8 b) {
    u8 r[] = {__builtin_elementwise_min(a, b), __builtin_elementwise_max(a, b), __builtin_elementwise_add_sat(a, b),
              __builtin_elementwise_sub_sat(a, b)};
    for (int i = 0; i < 4; i++)
        DUMP(r[i], 8, "%u");
    printf("%u %u %u\n", __builtin_reduce_min(a), __builtin_reduce_max(b), __builtin_reduce_add(a));
}
__attribute__((noinline)) static void floats(f4 a, f4 b) {
    f4 r[] = {__builtin_elementwise_floor(a), __builtin_elementwise_ceil(a), __builtin_elementwise_trunc(a),
              __builtin_elementwise_rint(a), __builtin_elementwise_nearbyint(a), __builtin_elementwise_round(a),
              __builtin_elementwise_roundeven(a), __builtin_elementwise_abs(a), __builtin_elementwise_copysign(a, b),
              __builtin_elementwise_sqrt(__builtin_elementwise_abs(a)), __builtin_elementwise_fma(a, b, a),
              __builtin_elementwise_minimum(a, b), __builtin_elementwise_maximum(a, b),
              __builtin_elementwise_minnum(a, b), __builtin_elementwise_maxnum(a, b),
              __builtin_elementwise_minimumnum(a, b), __builtin_elementwise_maximumnum(a, b),
              __builtin_elementwise_canonicalize(a)};
    for (unsigned i = 0; i < sizeof r / sizeof *r; i++)
        DUMP(r[i], 4, "%a");
    printf("%a %a %a %a\n", __builtin_reduce_min(a), __builtin_reduce_max(b), __builtin_reduce_minimum(a), __builtin_reduce_maximum(b));
}

int main(void) {
    ints((i4){1, -2, 2147483647, 0}, (i4){7, -2147483647, 100, 0x00ff0010});
    ints((i4){-1, 0x1234567, 40, -99}, (i4){-2147483647, 3, 0, 8});
    shorts((u8){1, 2, 3, 65535, 5, 600, 7, 8}, (u8){9, 65535, 7, 6, 5, 4, 60000, 2});
    floats((f4){1.5f, -2.5f, 1e10f, -0.0f}, (f4){-1, 3.25f, 7, 0.75f});
    b16 x = {1, -2, 3, -4, 5, -6, 7, -8, 9, -10, 11, -12, 13, -14, 127, -128};
    printf("%d %d %d\n", __builtin_reduce_max(x), __builtin_reduce_min(x), __builtin_reduce_xor(x));
    q2 q = __builtin_elementwise_max((q2){1, ~0ull}, (q2){1ull << 63, 5});
    printf("%lu %lu\n", q[0], q[1]);
    d2 d = __builtin_elementwise_fma((d2){1 + 0x1p-30, 3}, (d2){1 - 0x1p-30, 4}, (d2){-1, 0.5});
    printf("%a %a\n", d[0], d[1]);
    d2 p = __builtin_elementwise_exp2((d2){3, -2}) + __builtin_elementwise_pow((d2){2, 3}, (d2){5, 2});
    printf("%.10g %.10g\n", p[0], p[1]);
    return 0;
}
