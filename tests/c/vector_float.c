// GNU vectors of floats and doubles: arithmetic, comparisons, conversions, masks, passing and returning.
// flags: -ffp-contract=off
#include <stdint.h>
#include <stdio.h>

typedef float f4 __attribute__((ext_vector_type(4)));
typedef float f2 __attribute__((vector_size(8)));
typedef double d2 __attribute__((vector_size(16)));
typedef double d4 __attribute__((vector_size(32)));
typedef int32_t i4 __attribute__((ext_vector_type(4)));
typedef int64_t l2 __attribute__((vector_size(16)));
typedef int64_t l4 __attribute__((vector_size(32)));
typedef uint32_t u4 __attribute__((vector_size(16)));

__attribute__((noinline)) static f4 mix(f4 a, f4 b, float s) { return (a + b) * s - a / b; }
__attribute__((noinline)) static i4 compare(f4 a, f4 b) { return (a < b) + 2 * (a == b) + 4 * (a != b) + 8 * (a >= b); }
__attribute__((noinline)) static f4 choose(f4 a, f4 b) { return a > b ? a : -b; }
__attribute__((noinline)) static d2 widen(f2 a) { return __builtin_convertvector(a, d2); }
__attribute__((noinline)) static f2 narrow(d2 a) { return __builtin_convertvector(a, f2); }
__attribute__((noinline)) static i4 to_int(f4 a) { return __builtin_convertvector(a, i4); }
__attribute__((noinline)) static f4 from_int(i4 a) { return __builtin_convertvector(a, f4); }
__attribute__((noinline)) static f4 from_unsigned(u4 a) { return __builtin_convertvector(a, f4); }
__attribute__((noinline)) static d4 longs(l4 a) { return __builtin_convertvector(a, d4) / 3; }
__attribute__((noinline)) static l2 raw(d2 a) { return (l2)a ^ (l2){INT64_MIN, 1}; }
__attribute__((noinline)) static d4 rotate(d4 a) { return __builtin_shufflevector(a, a, 1, 2, 3, 0); }

static void show4(f4 v) { printf("%a %a %a %a\n", v[0], v[1], v[2], v[3]); }

int main(void) {
    f4 a = {1, -2.5f, 1e10f, 0.1f}, b = {3, 4, -1e-10f, 0.1f};
    show4(mix(a, b, 1.25f));
    i4 c = compare(a, b);
    printf("%d %d %d %d\n", c[0], c[1], c[2], c[3]);
    show4(choose(a, b));
    d2 d = widen((f2){0.1f, -7});
    f2 f = narrow(d * (d2){1e10, 3});
    printf("%a %a %a %a\n", d[0], d[1], f[0], f[1]);
    i4 n = to_int((f4){1.9f, -1.9f, 1e9f, -0.0f});
    printf("%d %d %d %d\n", n[0], n[1], n[2], n[3]);
    show4(from_int((i4){16777217, -5, 0, INT32_MIN}));
    show4(from_unsigned((u4){16777217, 4294967295u, 0, 1u << 31}));
    d4 q = rotate(longs((l4){1, -2, 9007199254740993, INT64_MIN}));
    printf("%a %a %a %a\n", q[0], q[1], q[2], q[3]);
    l2 r = raw((d2){1.0, -0.0});
    printf("%lx %lx\n", r[0], r[1]);
    float sum = 0;
    for (int i = 0; i < 100; i++) {
        a = mix(a * 0.01f, b + (float)i, 0.5f);
        sum += a[i & 3];
    }
    printf("%a\n", sum);
    return 0;
}
