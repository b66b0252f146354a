// GNU vectors of integers from 4 to 64 bytes: arithmetic, shifts, comparisons, selection, shuffles, conversion.
#include <stdint.h>
#include <stdio.h>

typedef int8_t i8x16 __attribute__((vector_size(16)));
typedef uint8_t u8x4 __attribute__((vector_size(4)));
typedef int16_t i16x8 __attribute__((ext_vector_type(8)));
typedef uint16_t u16x8 __attribute__((vector_size(16)));
typedef int32_t i32x4 __attribute__((vector_size(16)));
typedef uint32_t u32x4 __attribute__((vector_size(16)));
typedef int64_t i64x2 __attribute__((vector_size(16)));
typedef uint64_t u64x8 __attribute__((vector_size(64)));
typedef int32_t i32x3 __attribute__((ext_vector_type(3)));

#define DUMP(V, N, FORMAT)                                                                         \
    do {                                                                                           \
        for (int k_ = 0; k_ < (N); k_++)                                                           \
            printf(FORMAT " ", (V)[k_]);                                                           \
        printf("\n");                                                                              \
    } while (0)

__attribute__((noinline)) static i32x4 arithmetic(i32x4 a, i32x4 b) { return (a + b) * 3 - (a & b) + (a ^ (b | 1)) - ~a; }
__attribute__((noinline)) static i32x4 division(i32x4 a, i32x4 b) { return a / b + a % b; }
__attribute__((noinline)) static u32x4 shifts(u32x4 a, u32x4 n) { return (a << (n & 31)) ^ (a >> ((n + 3) & 31)); }
__attribute__((noinline)) static i16x8 select_(i16x8 a, i16x8 b) { return a > b ? a : b - 1; }
__attribute__((noinline)) static i8x16 compare(i8x16 a, i8x16 b) { return (a == b) | ((a < b) & 2) | ((a >= b) & 4); }
__attribute__((noinline)) static i8x16 shuffle(i8x16 a, i8x16 b) {
    return __builtin_shufflevector(a, b, 0, 31, 2, 17, 4, 19, 6, 21, 8, 23, 10, 25, 12, 27, 30, 15);
}
__attribute__((noinline)) static i32x4 variable(i32x4 a, int i, int v) {
    a[i & 3] = v;
    a[(i + 1) & 3] += a[i & 3];
    return a;
}
__attribute__((noinline)) static u64x8 wide(u64x8 a, u64x8 b) { return a * b + (a >> 7) - (b << 3); }
__attribute__((noinline)) static i64x2 casts(i32x4 a) {
    i64x2 r = (i64x2)a;
    return r + (i64x2)(u16x8){1, 2, 3, 4, 5, 6, 7, 8};
}
__attribute__((noinline)) static u8x4 narrow(u32x4 a) { return __builtin_convertvector(a, u8x4); }
__attribute__((noinline)) static i32x3 three(i32x3 a) { return a.zyx * 2 + a; }

int main(void) {
    i32x4 a = {1, -2, 300000, 0x7fffff}, b = {5, 6, -7, 1000};
    i32x4 r = arithmetic(a, b);
    DUMP(r, 4, "%d");
    r = division(a, b);
    DUMP(r, 4, "%d");
    u32x4 s = shifts((u32x4){1, 0xffffffff, 0x12345678, 77}, (u32x4){0, 5, 31, 16});
    DUMP(s, 4, "%u");
    i16x8 w = select_((i16x8){1, 2, 3, 4, -5, -6, -7, 32767}, (i16x8){4, 3, 2, 1, -8, -1, -7, -32767});
    DUMP(w, 8, "%d");
    i8x16 x = {0, 1, 2, 3, 4, 5, 6, 7, -8, -9, -10, 11, 12, 13, 127, -128}, y = x[3] + (i8x16){0} - x / 2;
    i8x16 c = compare(x, y), h = shuffle(x, y);
    DUMP(c, 16, "%d");
    DUMP(h, 16, "%d");
    for (int i = 0; i < 5; i++) {
        a = variable(a, i, i * 100);
        DUMP(a, 4, "%d");
    }
    u64x8 p = {1, 2, 3, 4, 5, 6, 7, 0xfedcba9876543210u}, q = wide(p, p + 11);
    DUMP(q, 8, "%lu");
    i64x2 t = casts(b);
    DUMP(t, 2, "%ld");
    u8x4 n = narrow((u32x4){0x1ff, 2, 0x303, 0xfffffff4});
    DUMP(n, 4, "%d");
    i32x3 z = three((i32x3){1, 20, 300});
    DUMP(z, 3, "%d");
    uint32_t word = (uint32_t)(__typeof__(word))((union { u8x4 v; uint32_t w; }){.v = n}).w;
    printf("%08x\n", word);
    return 0;
}
