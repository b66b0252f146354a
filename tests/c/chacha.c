// ChaCha20 and a xoshiro generator: rotates in vectors after optimisation, state in structs.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t rotl(uint32_t x, int n) { return x << n | x >> (32 - n); }
#define QUARTER(A, B, C, D)                                                                        \
    (A += B, D = rotl(D ^ A, 16), C += D, B = rotl(B ^ C, 12), A += B, D = rotl(D ^ A, 8), C += D, B = rotl(B ^ C, 7))

__attribute__((noinline)) static void chacha(uint32_t out[16], const uint32_t in[16]) {
    uint32_t x[16];
    memcpy(x, in, sizeof x);
    for (int i = 0; i < 10; i++) {
        for (int c = 0; c < 4; c++)
            QUARTER(x[c], x[4 + c], x[8 + c], x[12 + c]);
        for (int c = 0; c < 4; c++)
            QUARTER(x[c], x[4 + (c + 1) % 4], x[8 + (c + 2) % 4], x[12 + (c + 3) % 4]);
    }
    for (int i = 0; i < 16; i++)
        out[i] = x[i] + in[i];
}

struct xoshiro { uint64_t s[4]; };
static uint64_t next(struct xoshiro *g) {
    uint64_t *s = g->s, mixed = s[1] * 5, result = (mixed << 7 | mixed >> 57) * 9, t = s[1] << 17;
    s[2] ^= s[0], s[3] ^= s[1], s[1] ^= s[2], s[0] ^= s[3], s[2] ^= t;
    s[3] = s[3] << 45 | s[3] >> 19;
    return result;
}

int main(void) {
    uint32_t state[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}, out[16];
    for (uint32_t i = 4; i < 12; i++)
        state[i] = i * 0x01010101;
    for (uint32_t n = 0; n < 4; n++) {
        state[12] = n;
        chacha(out, state);
        for (int i = 0; i < 16; i++)
            printf("%08x%c", out[i], i % 8 == 7 ? '\n' : ' ');
    }
    struct xoshiro g = {{1, 2, 3, 4}};
    double sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += (double)(next(&g) >> 11) * 0x1p-53;
    printf("%.15f %016llx\n", sum, (unsigned long long)next(&g));
    return 0;
}
