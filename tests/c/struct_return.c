// Structs returned by value in every class of the x86-64 ABI: registers, SSE, mixed, memory, x87, arrays inside.
#include <stdint.h>
#include <stdio.h>

struct i1 { int8_t a; };
struct i2 { int32_t a; int16_t b; };
struct i3 { int64_t a; int32_t b; };
struct f1 { float a; };
struct f2 { float a, b; };
struct f3 { float a, b, c; };
struct f4 { float v[4]; };
struct d2 { double a, b; };
struct m1 { int64_t a; double b; };
struct m2 { double a; int32_t b; float c; };
struct m3 { float a; int32_t b; double c; };
struct big { int64_t v[5]; };
struct odd { char c[3]; };
struct odd7 { char c[7]; };
struct ld { long double x; };
struct nested { struct i2 a; struct f1 b; };
struct wide { __int128 x; };
struct empty {};
union u { double d; int64_t i; char c[12]; };

#define N __attribute__((noinline)) static
N struct i1 r_i1(int x) { return (struct i1){(int8_t)x}; }
N struct i2 r_i2(int x) { return (struct i2){x * 3, (int16_t)-x}; }
N struct i3 r_i3(int x) { return (struct i3){(int64_t)x * (1LL << 33), ~x}; }
N struct f1 r_f1(int x) { return (struct f1){(float)x / 2}; }
N struct f2 r_f2(int x) { return (struct f2){(float)x, (float)-x}; }
N struct f3 r_f3(int x) { return (struct f3){(float)x, 1.5f, (float)x * 2}; }
N struct f4 r_f4(int x) { return (struct f4){{1, 2, 3, (float)x}}; }
N struct d2 r_d2(int x) { return (struct d2){x + 0.25, x - 0.25}; }
N struct m1 r_m1(int x) { return (struct m1){x, x / 4.0}; }
N struct m2 r_m2(int x) { return (struct m2){x / 8.0, x, (float)x}; }
N struct m3 r_m3(int x) { return (struct m3){(float)x, -x, x * 1e10}; }
N struct big r_big(int x) { struct big b; for (int i = 0; i < 5; i++) b.v[i] = (int64_t)x * i; return b; }
N struct odd r_odd(int x) { return (struct odd){{(char)x, 'b', 'c'}}; }
N struct odd7 r_odd7(int x) { struct odd7 o = {"abcdef"}; o.c[x % 6] = '*'; return o; }
N struct ld r_ld(int x) { return (struct ld){x / 3.0L}; }
N struct nested r_nested(int x) { return (struct nested){r_i2(x), r_f1(x)}; }
N struct wide r_wide(int x) { return (struct wide){(__int128)x * ((__int128)1 << 70)}; }
N struct empty r_empty(void) { return (struct empty){}; }
N union u r_u(int x) { union u v = {.c = "hello world"}; v.c[0] = (char)('a' + x % 26); return v; }

int main(void) {
    for (int x = -3; x < 100; x += 17) {
        int y = x < 0 ? -x : x;
        printf("%d | %d %d | %lld %d", r_i1(x).a, r_i2(x).a, r_i2(x).b, (long long)r_i3(y).a, r_i3(x).b);
        printf(" | %g | %g %g | %g %g %g | %g", r_f1(x).a, r_f2(x).a, r_f2(x).b, r_f3(x).a, r_f3(x).b, r_f3(x).c, r_f4(x).v[3]);
        printf(" | %g %g | %lld %g | %g %d %g", r_d2(x).a, r_d2(x).b, (long long)r_m1(x).a, r_m1(x).b, r_m2(x).a, r_m2(x).b, r_m2(x).c);
        printf(" | %g %d %g | %lld", r_m3(x).a, r_m3(x).b, r_m3(x).c, (long long)r_big(x).v[4]);
        printf(" | %d%c | %.6s | %.10Lg | %d %g", r_odd(x).c[0], r_odd(x).c[2], r_odd7(y).c, r_ld(x).x, r_nested(x).a.a, r_nested(x).b.a);
        printf(" | %lld | %s\n", (long long)(r_wide(y).x >> 66), r_u(y).c);
        r_empty();
    }
    struct big (*f)(int) = r_big;
    struct big copy = f(7), *p = &copy;
    *p = f((int)p->v[2]);
    printf("%lld %lld\n", (long long)copy.v[1], (long long)copy.v[4]);
    return 0;
}
