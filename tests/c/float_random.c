// Random bit patterns through every float operation and conversion in five formats; one checksum per operation.
// flags: -lm -ffp-contract=off
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef __float128 quad;
static uint64_t state = 88172645463325252u;
static uint64_t rnd(void) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}
static uint64_t sums[64];
static int used;
static void mix(int i, uint64_t v) {
    sums[i] = (sums[i] ^ v) * 0x9e3779b97f4a7c15u;
    sums[i] ^= sums[i] >> 32;
    if (i >= used)
        used = i + 1;
}
// Half of the exponents close to each other, so that sums and remainders are not trivial.
static double random_double(void) {
    uint64_t u = rnd();
    if (u & 1)
        u = (u & 0x800fffffffffffffu) | (1023 + (u >> 55 & 31) - 16) << 52;
    double d;
    memcpy(&d, &u, 8);
    return d;
}
static float random_float(void) {
    uint32_t u = (uint32_t)rnd();
    if (u & 1)
        u = (u & 0x807fffffu) | (127 + (u >> 26 & 15) - 8) << 23;
    float f;
    memcpy(&f, &u, 4);
    return f;
}
static void d(int i, double x) {
    uint64_t u;
    memcpy(&u, &x, 8);
    mix(i, x != x ? 1 : u);
}
static void f(int i, float x) {
    uint32_t u;
    memcpy(&u, &x, 4);
    mix(i, x != x ? 1 : u);
}
static void l(int i, long double x) {
    uint64_t u[2] = {0};
    memcpy(u, &x, 10);
    mix(i, x != x ? 1 : u[0] ^ u[1] << 20);
}
static void q(int i, quad x) {
    uint64_t u[2];
    memcpy(u, &x, 16);
    mix(i, x != x ? 1 : u[0] * 3 ^ u[1]);
}

__attribute__((noinline)) static void doubles(double a, double b, double c) {
    d(0, a + b), d(1, a - b), d(2, a * b), d(3, a / b), d(4, sqrt(a)), d(5, fma(a, b, c));
    d(6, floor(a)), d(7, ceil(a)), d(8, trunc(a)), d(9, rint(a)), d(10, round(a)), d(11, __builtin_roundeven(a));
    d(12, fmod(a, b)), d(13, copysign(a, b)), d(14, -a), f(15, (float)a);
    mix(16, (uint64_t)((a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | !(a > b) << 4 | !!isunordered(a, b) << 5));
    if (fabs(a) < 9e18)
        mix(17, (uint64_t)(long)a), mix(17, (uint64_t)lrint(a)), mix(17, (uint64_t)lround(a));
    if (fabs(a) < 2e9)
        mix(18, (uint64_t)(int)a);
    if (a >= 0 && a < 1.8e19)
        mix(19, (uint64_t)a);
    if (fabs(a) < 1e38)
        mix(20, (uint64_t)(__int128)a), mix(20, (uint64_t)((__int128)a >> 64));
    int e;
    double m = frexp(a, &e), whole, part = modf(a, &whole);
    d(21, m), d(22, whole), d(23, part), d(24, ldexp(a, (int)(rnd() % 2100) - 1050));
    if (isfinite(a))
        mix(21, (uint64_t)e);
    d(25, remainder(a, b)), mix(26, (uint64_t)fpclassify(a)), d(26, nextafter(a, b));
}
__attribute__((noinline)) static void floats(float a, float b, float c) {
    f(27, a + b), f(28, a - b), f(29, a * b), f(30, a / b), f(31, sqrtf(a)), f(32, fmaf(a, b, c)), f(33, fmodf(a, b));
    f(34, rintf(a)), f(34, roundf(a)), f(34, floorf(a)), d(35, (double)a);
    if (fabsf(a) < 9e18f)
        mix(36, (uint64_t)(long)a);
}
__attribute__((noinline)) static void longs(long double a, long double b) {
    l(37, a + b), l(38, a - b), l(39, a * b), l(40, a / b), l(41, sqrtl(a)), l(42, floorl(a)), l(42, rintl(a)), l(42, roundl(a));
    d(43, (double)a), f(44, (float)a), mix(45, (uint64_t)((a < b) | (a == b) << 1));
    if (fabsl(a) < 9e18L)
        mix(46, (uint64_t)(long)a);
    if (a >= 0 && a < 1.8e19L)
        mix(46, (uint64_t)a);
}
__attribute__((noinline)) static void quads(quad a, quad b) {
    q(47, a + b), q(48, a - b), q(49, a * b), q(50, a / b), d(51, (double)a), l(52, (long double)a), f(53, (float)a);
    if (a < 9e18Q && a > -9e18Q)
        mix(54, (uint64_t)(long)a);
}
__attribute__((noinline)) static void halves(uint16_t x, uint16_t y) {
    _Float16 a, b;
    memcpy(&a, &x, 2);
    memcpy(&b, &y, 2);
    f(55, (float)(_Float16)(a + b)), f(56, (float)(_Float16)(a * b)), f(57, (float)(_Float16)(a / b));
    mix(58, (uint64_t)((a < b) | (a == b) << 1));
}
__attribute__((noinline)) static void integers(uint64_t x) {
    d(59, (double)x), d(59, (double)(int64_t)x), f(60, (float)x), f(60, (float)(int64_t)x), l(61, (long double)x), q(62, (quad)(int64_t)x);
    unsigned __int128 w = (unsigned __int128)x << (x & 63) | ~x;
    d(63, (double)w), f(63, (float)(__int128)w), l(63, (long double)w);
}

int main(void) {
    for (int i = 0; i < 1500; i++) {
        double a = random_double(), b = random_double(), c = random_double();
        doubles(a, b, c);
        if (i % 4 == 0)
            doubles(a, a, -a);
        floats(random_float(), random_float(), random_float());
        longs((long double)a / 3, (long double)b * c);
        quads((quad)a / 7, (quad)b * (quad)c);
        halves((uint16_t)rnd(), (uint16_t)rnd());
        integers(rnd() >> (rnd() & 63));
    }
    for (int i = 0; i < used; i++)
        printf("%2d %016llx\n", i, (unsigned long long)sums[i]);
    return 0;
}
