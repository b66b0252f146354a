// SHA-256: rotates, 32-bit wrapping arithmetic, byte order, tables of constants.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t constants[64];
static uint32_t rotate(uint32_t x, int n) { return x >> n | x << (32 - n); }

// The constants are fractions of cube roots of primes; find them with integers alone.
static uint32_t fraction_of_cube_root(uint32_t prime) {
    unsigned __int128 low = 0, high = (unsigned __int128)8 << 32, target = (unsigned __int128)prime << 96;
    while (high - low > 1) {
        unsigned __int128 middle = (low + high) / 2;
        if (middle * middle * middle <= target)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}
static uint32_t fraction_of_square_root(uint32_t prime) {
    uint64_t low = 0, high = 8ull << 32;
    while (high - low > 1) {
        uint64_t middle = (low + high) / 2;
        if ((unsigned __int128)middle * middle <= (unsigned __int128)prime << 64)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static void block(uint32_t *state, const uint8_t *p) {
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 | (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + w[i - 7] + (rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3) +
               (rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10);
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t t1 = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[i] + w[i];
        uint32_t t2 = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

static void sha256(const char *text, size_t n) {
    uint32_t state[8];
    static const uint8_t primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
    for (int i = 0; i < 8; i++)
        state[i] = fraction_of_square_root(primes[i]);
    uint8_t last[128] = {0};
    size_t whole = n / 64 * 64, rest = n - whole;
    for (size_t i = 0; i < whole; i += 64)
        block(state, (const uint8_t *)text + i);
    memcpy(last, text + whole, rest);
    last[rest] = 0x80;
    size_t length = rest < 56 ? 64 : 128;
    for (int i = 0; i < 8; i++)
        last[length - 1 - (size_t)i] = (uint8_t)((uint64_t)n * 8 >> (8 * i));
    for (size_t i = 0; i < length; i += 64)
        block(state, last + i);
    for (int i = 0; i < 8; i++)
        printf("%08x", state[i]);
    printf("\n");
}

int main(void) {
    int found = 0;
    for (uint32_t p = 2; found < 64; p++) {
        int prime = 1;
        for (uint32_t d = 2; d * d <= p; d++)
            prime &= p % d != 0;
        if (prime)
            constants[found++] = fraction_of_cube_root(p);
    }
    sha256("", 0);
    sha256("abc", 3);
    char text[300];
    for (int i = 0; i < 300; i++)
        text[i] = (char)('a' + i % 26);
    for (size_t n = 50; n < 300; n += 33)
        sha256(text, n);
    return 0;
}
