// Integers wider than any register: _BitInt, bit-fields that clang loads as one
// integer, and overflow checks computed with more bits than __int128.
// flags: -std=c23
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// Keeps the optimiser from computing everything beforehand.
static volatile uint64_t seed = 0x243f6a8885a308d3u;

static uint64_t next(void) {
    uint64_t x = seed;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    // Long runs of equal bits make carries travel.
    uint64_t word = x % 5 == 0 ? 0 : x % 5 == 1 ? UINT64_MAX : x;
    seed = x;
    return word;
}

static void show_bytes(const char *what, const void *object, size_t size) {
    const unsigned char *bytes = object;
    printf("%s ", what);
    while (size-- > 0) printf("%02x", bytes[size]);
    printf("\n");
}

#define WIDTH(N)                                                                                  \
    typedef unsigned _BitInt(N) u##N;                                                             \
    typedef signed _BitInt(N) s##N;                                                               \
    static u##N random_##N(void) {                                                                \
        u##N x = 0;                                                                               \
        for (int n = 0; n < N; n += 64) x = x << 63 << 1 | next();                                \
        return x;                                                                                 \
    }                                                                                             \
    static void show_##N(const char *what, u##N x) {                                              \
        printf("%d %s ", N, what);                                                                \
        for (int n = (N - 1) / 64; n >= 0; n--)                                                   \
            printf("%016llx", (unsigned long long)(x >> (64 * n)));                               \
        printf("\n");                                                                             \
    }                                                                                             \
    __attribute__((noinline)) static s##N mixed_##N(s##N a, u##N b, int choose) {                 \
        s##N r = choose > 2 ? a : (s##N)b;                                                        \
        for (int i = 0; i < choose; i++) r = (s##N)((u##N)r * 3 - (b >> i));                      \
        return r;                                                                                 \
    }                                                                                             \
    static int orders_##N(u##N a, u##N b) {                                                       \
        s##N c = (s##N)a, d = (s##N)b;                                                            \
        return (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 |           \
               (a != b) << 5 | (c < d) << 6 | (c <= d) << 7 | (c > d) << 8 |                      \
               (c >= d) << 9 | (c < 0) << 10 | !c << 11;                                          \
    }                                                                                             \
    static void test_##N(void) {                                                                  \
        for (int round = 0; round < 12; round++) {                                                \
            u##N a = random_##N(), b = round % 3 ? random_##N() : a ^ (u##N)1 << round;           \
            s##N c = (s##N)a;                                                                     \
            unsigned n = (unsigned)next() % N;                                                    \
            show_##N("add", a + b);                                                               \
            show_##N("sub", a - b);                                                               \
            show_##N("mul", a * b);                                                               \
            show_##N("mul17", a * 1000000007);                                                    \
            show_##N("bits", (a & b) ^ ~(a | b));                                                 \
            show_##N("shl", a << n);                                                              \
            show_##N("shr", a >> n);                                                              \
            show_##N("sar", (u##N)(c >> n));                                                      \
            show_##N("left", (a << 67) ^ (a << 64) ^ (a << 3) ^ (a << 128));                      \
            show_##N("right", (a >> 65) ^ (a >> 64) ^ (u##N)(c >> 5) ^ (u##N)(c >> 128));         \
            show_##N("mixed", (u##N)mixed_##N(c, b, round % 5));                                  \
            show_##N("signed", (u##N)(s##N)(int64_t)a + (u##N)(signed char)b);                    \
            show_##N("128", (u##N)(s##N)(__int128)a + (u##N)(unsigned __int128)b);                \
            show_##N("choice", a > b ? a - b : c < 0 ? -a : b);                                   \
            printf("%d %03x %d\n", N, orders_##N(a, b), (int)(c >> (N - 1)));                     \
            u##N r;                                                                               \
            s##N t;                                                                               \
            int o = __builtin_add_overflow(a, b, &r);                                             \
            show_##N("add overflow", r + o);                                                      \
            o = __builtin_sub_overflow(a, b, &r);                                                 \
            show_##N("sub overflow", r + o);                                                      \
            o = __builtin_add_overflow(c, (s##N)b, &t);                                           \
            show_##N("signed add overflow", (u##N)t + o);                                         \
            o = __builtin_sub_overflow(c, (s##N)b, &t);                                           \
            show_##N("signed sub overflow", (u##N)t + o);                                         \
            o = __builtin_add_overflow(a, c, &r);                                                 \
            show_##N("mixed add overflow", r + o);                                                \
            o = __builtin_mul_overflow(a >> n, b >> (N - n - 1), &r);                             \
            show_##N("mul overflow", r + o);                                                      \
            o = __builtin_mul_overflow(a >> n, (signed _BitInt(77))b, &r);                        \
            show_##N("mixed mul overflow", r + o);                                                \
        }                                                                                         \
    }

WIDTH(129)
WIDTH(144)
WIDTH(192)
WIDTH(200)
WIDTH(256)
WIDTH(257)
WIDTH(512)

// Between widths, up and down.
static void between_widths(void) {
    for (int round = 0; round < 8; round++) {
        u512 a = random_512();
        s512 c = (s512)a;
        show_512("from 129", (u512)(s129)a ^ (u512)(u129)c);
        show_512("from 200", (u512)(s200)a ^ (u512)(u200)c);
        show_512("from 256", (u512)(s256)a ^ (u512)(u256)c);
        show_257("from 256", (u257)(s256)a);
        show_200("from 65", (u200)(signed _BitInt(65))a);
        show_144("from 1", (u144)(signed _BitInt(2))a);
    }
}

// Products of signed and unsigned numbers.
static void mixed_products(void) {
    for (int round = 0; round < 40; round++) {
        unsigned __int128 u = (unsigned __int128)next() << 64 | next();
        __int128 s = (__int128)((unsigned __int128)next() << 64 | next());
        if (round % 2) u >>= round, s >>= 2 * round + 40;
        __int128 to_signed = 0;
        unsigned __int128 to_unsigned = 0;
        long to_long = 0;
        unsigned char to_char = 0;
        int flags = __builtin_mul_overflow(s, u, &to_signed);
        flags = flags << 1 | __builtin_mul_overflow(s, u, &to_unsigned);
        flags = flags << 1 | __builtin_mul_overflow(s, u, &to_long);
        flags = flags << 1 | __builtin_mul_overflow(s, u, &to_char);
        flags = flags << 1 | __builtin_add_overflow(s, u, &to_signed);
        flags = flags << 1 | __builtin_sub_overflow(s, u, &to_unsigned);
        flags = flags << 1 | __builtin_add_overflow((long)s, u, &to_long);
        flags = flags << 1 | __builtin_mul_overflow(u, -1L, &to_signed);
        printf("mixed %02x", flags);
        show_bytes("", &to_signed, sizeof to_signed);
        show_bytes("", &to_unsigned, sizeof to_unsigned);
        printf("%ld %d\n", to_long, to_char);
    }
}

#pragma pack(push, 1)
struct packed {
    unsigned long a : 50;
    long b : 43;
    unsigned c : 31;
    int d : 27;
    unsigned e : 3;
    long f : 61;
};
struct run {
    signed char before;
    struct packed fields;
    signed char after;
};
#pragma pack(pop)

struct mixed_fields {
    unsigned a : 7;
    unsigned long b : 57;
    int c : 30;
    unsigned d : 2;
    signed e : 32;
    unsigned long f : 64;
    int g : 1;
};

static struct packed table[3] = {
    {1, -2, 3, -4, 5, -6}, {.b = -1, .f = 0x0123456789abcdef}, {.d = 77}};
static _BitInt(200) numbers[2] = {-5, (_BitInt(200))1 << 190};
static const unsigned _BitInt(130) large = ~(unsigned _BitInt(130))0 - 9;

__attribute__((noinline)) static struct packed fill(struct packed p, uint64_t by) {
    p.a += by;
    p.b ^= (long)by;
    p.c -= (unsigned)p.a;
    p.d = (int)p.c + (int)p.e;
    p.e++;
    p.f = p.b * 3 - p.d;
    return p;
}

static void bit_fields(void) {
    struct run run;
    memset(&run, 0x5a, sizeof run);
    for (int round = 0; round < 10; round++) {
        run.fields = fill(run.fields, next());
        table[round % 3] = fill(table[(round + 1) % 3], (uint64_t)run.fields.f);
        show_bytes("run", &run, sizeof run);
        printf("%lld %lld %u %d %u %lld\n", (long long)run.fields.a, (long long)run.fields.b,
               run.fields.c, run.fields.d, run.fields.e, (long long)run.fields.f);
    }
    show_bytes("table", table, sizeof table);
    struct mixed_fields m = {1, 2, -3, 1, -4, 5, -1};
    for (int round = 0; round < 10; round++) {
        m.b += m.a + (unsigned long)next();
        m.a = (unsigned)m.b;
        m.c = (int)(m.b >> 9);
        m.e = m.c ^ (int)m.d;
        m.d++;
        m.f = m.b * m.f + (unsigned long)m.e;
        m.g = m.f & 1;
        printf("%u %llu %d %u %d %llu %d\n", m.a, (unsigned long long)m.b, m.c, m.d, m.e,
               (unsigned long long)m.f, m.g);
    }
}

// The bytes an assignment touches, and no others.
static void in_memory(void) {
    union {
        unsigned char bytes[40];
        u129 one;
        u200 two;
        u257 three;
    } u;
    memset(&u, 0xff, sizeof u);
    u.one = 5;
    show_129("one", u.one);
    u.two = (u200)random_256();
    show_200("two", u.two);
    u.three = (u257)-7;
    show_257("three", u.three);
    numbers[0] *= numbers[1] - 1;
    show_200("numbers", (u200)numbers[0]);
    show_200("numbers", (u200)numbers[1]);
    u256 copies[2] = {large, random_256()};
    memcpy(&copies[0], &copies[1], 10);
    show_256("copies", copies[0]);
    show_512("square", (u512)large * large);
}

__attribute__((noinline)) static int which(u192 x) {
    switch (x) {
    case 3: return 1;
    case (u192)1 << 190: return 2;
    case (u192)1 << 70: return 3;
    case ((u192)1 << 70) + 1: return 4;
    default: return 5;
    }
}

static void switches(void) {
    u192 all[] = {3, 4, (u192)1 << 190, (u192)1 << 70, ((u192)1 << 70) + 1, ((u192)1 << 190) + 3};
    for (unsigned n = 0; n < sizeof all / sizeof *all; n++) printf("%d", which(all[n]));
    printf("\n");
}

int main(void) {
    test_129();
    test_144();
    test_192();
    test_200();
    test_256();
    test_257();
    test_512();
    between_widths();
    mixed_products();
    bit_fields();
    in_memory();
    switches();
    return 0;
}
