// Structs passed by value in every ABI class, more arguments than registers, copies that stay copies.
#include <stdint.h>
#include <stdio.h>

struct small { int32_t a, b; };
struct pair { int64_t a; double b; };
struct floats { float x, y, z; };
struct large { int32_t v[9]; char tag; };
struct aligned { int x; } __attribute__((aligned(32)));
struct ld { long double x; int n; };
struct tiny { char c; };
struct one { struct tiny t[5]; };

#define N __attribute__((noinline)) static
N int64_t take(struct small s, struct pair p, struct floats f, struct large l, struct ld d, struct one o) {
    l.v[3] += 1000; // the caller's copy must not change
    return s.a + s.b * 10 + p.a * 100 + (int64_t)(p.b + f.x + f.y * f.z) + l.v[3] + l.tag + (int64_t)d.x * d.n + o.t[4].c;
}
N int many(int a, int b, int c, int d, int e, int f, int g, struct small s, int h, struct pair p, short i, char j, long k) {
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + s.a * s.b + 8 * h + (int)p.a + (int)p.b + 9 * i + 10 * j + (int)k;
}
N double doubles(double a, double b, double c, double d, double e, double f, double g, double h, double i, float j, struct floats k) {
    return a - b + c * d - e / f + g * h - i + j * k.x - k.z;
}
N int over(struct aligned a, int b, struct aligned c) { return ((uintptr_t)&a % 32 == 0 && (uintptr_t)&c % 32 == 0) ? a.x * b + c.x : -1; }
N struct large change(struct large l) {
    for (int i = 0; i < 9; i++)
        l.v[i] = l.v[8 - i] + i;
    l.tag++;
    return l;
}
N _Bool flags(_Bool a, unsigned char b, signed char c, unsigned short d) { return (a && b > 200) || (c < 0 && d > 60000); }
N __int128 wide(int a, __int128 b, unsigned __int128 c) { return a * b + (__int128)c; }

int main(void) {
    struct large l = {{1, 2, 3, 4, 5, 6, 7, 8, 9}, 'q'};
    struct one o = {{{1}, {2}, {3}, {4}, {5}}};
    for (int i = 0; i < 5; i++) {
        int64_t r = take((struct small){i, -i}, (struct pair){i * 7, i + 0.5}, (struct floats){1, 2, (float)i}, l, (struct ld){i * 1.5L, 4}, o);
        int m = many(1, 2, 3, 4, 5, 6, i, (struct small){i, 9}, 8, (struct pair){i, -2.5}, (short)-i, 'c', 1L << 20);
        printf("%lld %d %.12g %d %d\n", (long long)r, m, doubles(1, 2, 3, 4, 5, 6, 7, 8, i, 0.5f, (struct floats){4, 5, 6}),
               over((struct aligned){i}, 3, (struct aligned){100}), l.v[3]);
        l = change(l);
    }
    printf("%d %d %c\n", l.v[0], l.v[8], l.tag);
    printf("%d%d%d\n", flags(1, 201, 5, 0), flags(0, 255, -1, 65535), flags(1, 100, 1, 65535));
    printf("%lld\n", (long long)(wide(-3, (__int128)1 << 90, 12345) >> 60));
    return 0;
}
