// 128-bit integers: every operator, conversions to and from floats, printing by hand.
#include <stdint.h>
#include <stdio.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static void print_u(const char *what, u128 v) {
    char digits[40];
    int n = 40;
    digits[--n] = 0;
    do {
        digits[--n] = (char)('0' + (int)(v % 10));
        v /= 10;
    } while (v);
    printf("%s %s\n", what, digits + n);
}

static void print_s(const char *what, i128 v) {
    if (v < 0) {
        printf("-");
        print_u(what, -(u128)v);
    } else
        print_u(what, (u128)v);
}

__attribute__((noinline)) static void both(u128 a, u128 b) {
    print_u("add", a + b);
    print_u("sub", a - b);
    print_u("mul", a * b);
    print_u("and", a & b);
    print_u("or", a | b);
    print_u("xor", a ^ b);
    if (b) {
        print_u("div", a / b);
        print_u("rem", a % b);
        if (!((i128)a == (i128)((u128)1 << 127) && (i128)b == -1)) {
            print_s("sdiv", (i128)a / (i128)b);
            print_s("srem", (i128)a % (i128)b);
        }
    }
    int n = (int)(b & 127);
    print_u("shl", a << n);
    print_u("shr", a >> n);
    print_s("sar", (i128)a >> n);
    printf("cmp %d%d%d%d%d%d%d%d%d%d\n", a == b, a != b, a < b, a <= b, a > b, a >= b,
           (i128)a < (i128)b, (i128)a <= (i128)b, (i128)a > (i128)b, (i128)a >= (i128)b);
}

int main(void) {
    volatile uint64_t high[] = {0, 1, 0x8000000000000000u, 0xffffffffffffffffu, 0x123456789abcdefu};
    volatile uint64_t low[] = {0, 1, 3, 0xffffffffffffffffu, 0xfedcba9876543210u};
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            u128 a = (u128)high[i] << 64 | low[j];
            u128 b = (u128)high[j] << 64 | low[(i + 2) % 5];
            both(a, b);
        }
    volatile double d = -1.5e30;
    print_s("from double", (i128)d);
    d = 3.25e37;
    print_u("from double", (u128)d);
    volatile float f = 1.0e20f;
    print_s("from float", (i128)f);
    volatile long double l = -123456789012345678901.0L;
    print_s("from long double", (i128)l);
    volatile u128 big = (u128)0x123456789abcdefu << 60 | 12345;
    printf("%.17g %.9g %.21Lg\n", (double)big, (double)(float)big, (long double)big);
    volatile i128 negative = -(i128)big;
    printf("%.17g %.9g %.21Lg\n", (double)negative, (double)(float)negative, (long double)negative);
    return 0;
}
