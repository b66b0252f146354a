// Bit fields of all widths and signs, crossing storage units, unnamed and zero-width, in unions, as counters.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct mixed {
    unsigned a : 3;
    int b : 5;
    unsigned : 4;
    unsigned c : 20;
    _Bool d : 1;
    int : 0;
    uint64_t e : 37;
    int64_t f : 27;
    unsigned char g : 2;
    signed short h : 9;
};
struct __attribute__((packed)) tight {
    unsigned a : 7;
    uint64_t b : 50;
    int c : 15;
    unsigned char d;
    unsigned e : 31;
};
union view {
    struct { unsigned sign : 1, exponent : 8, mantissa : 23; } reversed;
    struct { unsigned mantissa : 23, exponent : 8, sign : 1; } parts;
    float f;
};

__attribute__((noinline)) static void bump(struct mixed *m, int n) {
    m->a += (unsigned)n;
    m->b = (m->b + n) % 15;
    m->c ^= (unsigned)n << 10;
    m->d = !m->d;
    m->e = m->e * 3 + (unsigned)n;
    m->f -= n * 1000;
    m->g++;
    m->h = (short)(m->h - n) % 250;
}
__attribute__((noinline)) static void fill(struct tight *t, unsigned n) {
    t->a = n;
    t->b = (uint64_t)n * 0x123456789u;
    t->c = (int)(n % 16000) - 8000;
    t->d = (unsigned char)n;
    t->e = ~n;
}

int main(void) {
    struct mixed m;
    memset(&m, 0, sizeof m);
    for (int i = 0; i < 40; i++) {
        bump(&m, i);
        printf("%u %d %u %d %llu %lld %d %d\n", m.a, m.b, m.c, m.d, (unsigned long long)m.e, (long long)m.f, m.g, m.h);
    }
    struct tight t;
    memset(&t, 0xff, sizeof t);
    for (unsigned n = 1; n < 100000; n *= 7) {
        fill(&t, n);
        unsigned char raw[sizeof t];
        memcpy(raw, &t, sizeof t);
        for (unsigned k = 0; k < sizeof t; k++)
            printf("%02x", raw[k]);
        printf(" %u %llu %d %d %u\n", t.a, (unsigned long long)t.b, t.c, t.d, t.e);
    }
    union view v = {.f = -6.25f};
    printf("%u %u %x %u\n", v.parts.sign, v.parts.exponent, v.parts.mantissa, v.reversed.sign);
    v.parts.exponent++;
    printf("%g %zu %zu\n", v.f, sizeof(struct mixed), sizeof(struct tight));
    struct { int x : 1; unsigned y : 1; } one = {-1, 1};
    printf("%d %d\n", one.x, one.y);
    return 0;
}
