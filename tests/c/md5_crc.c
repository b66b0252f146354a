// MD5, CRC-32 (table and bitwise), Adler-32, FNV and SipHash over the same texts.
// flags: -lm
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t sines[64], crc_table[256];
static uint32_t rotl(uint32_t x, unsigned n) { return x << n | x >> (32 - n); }
static uint64_t rotl64(uint64_t x, unsigned n) { return x << n | x >> (64 - n); }

static void md5(const uint8_t *text, size_t n) {
    static const uint8_t shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    uint32_t h[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    uint8_t padded[256] = {0};
    memcpy(padded, text, n);
    padded[n] = 0x80;
    size_t blocks = (n + 8) / 64 + 1;
    for (int i = 0; i < 8; i++)
        padded[blocks * 64 - 8 + (size_t)i] = (uint8_t)((uint64_t)n * 8 >> (8 * i));
    for (size_t block = 0; block < blocks; block++) {
        uint32_t w[16], a = h[0], b = h[1], c = h[2], d = h[3];
        memcpy(w, padded + 64 * block, 64);
        for (unsigned i = 0; i < 64; i++) {
            uint32_t f;
            unsigned g;
            switch (i / 16) {
            case 0: f = (b & c) | (~b & d), g = i; break;
            case 1: f = (d & b) | (~d & c), g = (5 * i + 1) % 16; break;
            case 2: f = b ^ c ^ d, g = (3 * i + 5) % 16; break;
            default: f = c ^ (b | ~d), g = 7 * i % 16;
            }
            f += a + sines[i] + w[g];
            a = d, d = c, c = b;
            b += rotl(f, shifts[i / 16][i % 4]);
        }
        h[0] += a, h[1] += b, h[2] += c, h[3] += d;
    }
    const uint8_t *out = (const uint8_t *)h;
    for (int i = 0; i < 16; i++)
        printf("%02x", out[i]);
}
static uint32_t crc(const uint8_t *p, size_t n) {
    uint32_t c = ~0u;
    while (n--)
        c = crc_table[(c ^ *p++) & 255] ^ c >> 8;
    return ~c;
}
static uint32_t adler(const uint8_t *p, size_t n) {
    uint32_t a = 1, b = 0;
    for (; n--; p++)
        a = (a + *p) % 65521, b = (b + a) % 65521;
    return b << 16 | a;
}
static uint64_t fnv(const uint8_t *p, size_t n) {
    uint64_t h = 0xcbf29ce484222325u;
    while (n--)
        h = (h ^ *p++) * 0x100000001b3u;
    return h;
}
static uint64_t sip(const uint8_t *p, size_t n) {
    uint64_t k0 = 0x0706050403020100u, k1 = 0x0f0e0d0c0b0a0908u;
    uint64_t v[4] = {k0 ^ 0x736f6d6570736575u, k1 ^ 0x646f72616e646f6du, k0 ^ 0x6c7967656e657261u, k1 ^ 0x7465646279746573u};
#define ROUND(N)                                                                                   \
    for (int r_ = 0; r_ < (N); r_++) {                                                             \
        v[0] += v[1], v[1] = rotl64(v[1], 13) ^ v[0], v[0] = rotl64(v[0], 32);                     \
        v[2] += v[3], v[3] = rotl64(v[3], 16) ^ v[2];                                              \
        v[0] += v[3], v[3] = rotl64(v[3], 21) ^ v[0];                                              \
        v[2] += v[1], v[1] = rotl64(v[1], 17) ^ v[2], v[2] = rotl64(v[2], 32);                     \
    }
    uint64_t m, last = (uint64_t)n << 56;
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        memcpy(&m, p + i, 8);
        v[3] ^= m;
        ROUND(2)
        v[0] ^= m;
    }
    for (unsigned k = 0; i < n; i++, k += 8)
        last |= (uint64_t)p[i] << k;
    v[3] ^= last;
    ROUND(2)
    v[0] ^= last, v[2] ^= 0xff;
    ROUND(4)
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

int main(void) {
    for (int i = 0; i < 64; i++)
        sines[i] = (uint32_t)(fabs(sin(i + 1.0)) * 4294967296.0);
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        crc_table[i] = c;
    }
    const char *texts[] = {"", "a", "message digest", "The quick brown fox jumps over the lazy dog",
                           "12345678901234567890123456789012345678901234567890123456789012345678901234567890"};
    for (int i = 0; i < 5; i++) {
        const uint8_t *p = (const uint8_t *)texts[i];
        size_t n = strlen(texts[i]);
        md5(p, n);
        printf(" %08x %08x %016llx %016llx\n", crc(p, n), adler(p, n), (unsigned long long)fnv(p, n), (unsigned long long)sip(p, n));
    }
    return 0;
}
