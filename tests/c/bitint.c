// _BitInt of odd widths up to 128: arithmetic wraps at the width, sign and zero extension.
// flags: -std=c23
#include <stdint.h>
#include <stdio.h>

static uint64_t sum = 1;

static void mix(uint64_t low, uint64_t high) {
    sum = (sum ^ low) * 0x9e3779b97f4a7c15u + high;
    sum ^= sum >> 31;
}

#define TEST(N)                                                                                    \
    __attribute__((noinline)) static void test##N(uint64_t x, uint64_t y) {                        \
        typedef unsigned _BitInt(N) U;                                                             \
        typedef _BitInt(N) S;                                                                      \
        typedef unsigned __int128 W;                                                               \
        U a = (U)((W)x << 64 | y), b = (U)((W)y << 64 | x);                                        \
        U results[] = {(U)(a + b), (U)(a - b), (U)(a * b), (U)(a & b), (U)(a | b),                 \
                       (U)(a ^ b), (U)~a,      (U)(a << 1), (U)(a >> 2)};                          \
        for (int i = 0; i < 9; i++)                                                                \
            mix((uint64_t)results[i], (uint64_t)((W)results[i] >> 64));                            \
        S s = (S)a, t = (S)b;                                                                      \
        if (b != 0) {                                                                              \
            mix((uint64_t)(a / b), (uint64_t)(a % b));                                             \
            if (t != -1)                                                                           \
                mix((uint64_t)(int64_t)(s / t), (uint64_t)(int64_t)(s % t));                       \
        }                                                                                          \
        mix((uint64_t)((__int128)(s >> 1) >> 64), (uint64_t)(int64_t)(s >> 1));                    \
        mix((uint64_t)(s < t) | (uint64_t)(a < b) << 1 | (uint64_t)(s == t) << 2, a >= b);         \
    }

TEST(3)
TEST(7)
TEST(13)
TEST(24)
TEST(31)
TEST(33)
TEST(47)
TEST(63)
TEST(65)
TEST(77)
TEST(96)
TEST(113)
TEST(127)
TEST(128)

struct mixed {
    _BitInt(17) a;
    unsigned _BitInt(1) bit;
    _BitInt(40) b;
    unsigned _BitInt(100) c;
};

__attribute__((noinline)) static _BitInt(40) through(_BitInt(17) a, unsigned _BitInt(1) bit,
                                                      struct mixed *m) {
    m->a = a;
    m->bit = bit;
    m->b = (_BitInt(40))a * 1000003;
    m->c = ((unsigned _BitInt(100))a << 70) | bit;
    return m->b;
}

int main(void) {
    uint64_t x = 0x0123456789abcdefu, y = 0xfedcba9876543210u;
    for (int i = 0; i < 20; i++) {
        test3(x, y), test7(x, y), test13(x, y), test24(x, y), test31(x, y), test33(x, y);
        test47(x, y), test63(x, y), test65(x, y), test77(x, y), test96(x, y), test113(x, y);
        test127(x, y), test128(x, y);
        printf("%016llx\n", (unsigned long long)sum);
        x = x * 6364136223846793005u + 1442695040888963407u;
        y ^= y << 13, y ^= y >> 7, y ^= y << 17;
    }
    struct mixed m;
    for (int i = -65536; i < 65536; i += 9973) {
        long long r = (long long)through((_BitInt(17))i, (unsigned _BitInt(1))(i & 1), &m);
        printf("%d %d %lld %llu %llu\n", (int)m.a, (int)m.bit, r, (unsigned long long)m.c,
               (unsigned long long)(m.c >> 64));
    }
    printf("%zu %zu\n", sizeof m, sizeof(_BitInt(77)));
    return 0;
}
