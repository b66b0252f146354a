// switch: dense, sparse, ranges, fall-through, 64-bit and char values, strings by hash, lookup tables, Duff's device.
#include <stdint.h>
#include <stdio.h>

#define N __attribute__((noinline)) static
N int dense(int x) {
    switch (x) {
    case 0: return 5;
    case 1: return 17;
    case 2: return -4;
    case 3: return 99;
    case 4: return 12;
    case 5: return 8;
    case 7: return 1;
    default: return -1;
    }
}
N int sparse(int x) {
    switch (x) {
    case -2000000000: return 1;
    case -7: return 2;
    case 0: return 3;
    case 1000: return 4;
    case 123456789: return 5;
    case 2147483647: return 6;
    }
    return 0;
}
N int ranges(unsigned char c) {
    switch (c) {
    case 'a' ... 'z': return 1;
    case 'A' ... 'Z': return 2;
    case '0' ... '9': return 3;
    case ' ': case '\t': return 4;
    default: return c >= 128 ? 5 : 0;
    }
}
N int fall(int x) {
    int r = 0;
    switch (x) {
    default: r += 1000;
    case 3: r += 100;
    case 2: r += 10; break;
    case 1: r += 1;
    case 0:;
    }
    return r;
}
N int wide(uint64_t x) {
    switch (x) {
    case 0x100000000u: return 1;
    case 0xffffffffffffffffu: return 2;
    case 0x100000001u: return 3;
    default: return (int)(x & 0xff);
    }
}
N const char *name(int x) {
    switch (x) {
    case 1: return "one";
    case 2: return "two";
    case 3: return "three";
    case 4: return "four";
    case 5: return "five";
    }
    return "many";
}
N int duff(const char *from, char *to, int count) {
    int n = (count + 7) / 8, steps = 0;
    switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7: *to++ = *from++;
    case 6: *to++ = *from++;
    case 5: *to++ = *from++;
    case 4: *to++ = *from++;
    case 3: *to++ = *from++;
    case 2: *to++ = *from++;
    case 1: *to++ = *from++; steps++;
            } while (--n > 0);
    }
    return steps;
}
N int nested(int x, int y) {
    switch (x & 3) {
    case 0:
        switch (y & 3) {
        case 0: return 0;
        case 1: return 1;
        }
        break;
    case 2: for (int i = 0; i < 5; i++) { if (i == y) break; if (i > y) return i; } return 22;
    }
    return -1;
}

int main(void) {
    for (int i = -2; i < 10; i++)
        printf("%d %d %s %d %d\n", dense(i), fall(i), name(i), nested(i, i / 2), nested(i, 1));
    printf("%d%d%d%d%d%d%d\n", sparse(-2000000000), sparse(-7), sparse(0), sparse(1000), sparse(123456789), sparse(2147483647), sparse(5));
    int counts[6] = {0};
    for (int c = 0; c < 256; c++)
        counts[ranges((unsigned char)c)]++;
    for (int i = 0; i < 6; i++)
        printf("%d ", counts[i]);
    printf("%d %d %d %d\n", wide(0x100000000u), wide(~0ull), wide(0x100000001u), wide(77));
    char out[32] = {0};
    int steps = duff("a sentence of some length", out, 25);
    printf("%s %d\n", out, steps);
    return 0;
}
