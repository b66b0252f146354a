/* SHA-256 over ITER blocks of 64 bytes: rotations, additions, small arrays, calls.
 * Prints the digest. */
#include <stdint.h>
#include <stdio.h>

#ifndef ITER
#define ITER 2000u
#endif

static uint32_t k[64];
static uint32_t hash[8];

static uint32_t rotate(uint32_t x, int n) { return x >> n | x << (32 - n); }

/* The constants are the first 32 bits of the fractional parts of the square and
 * cube roots of the first primes; found here by integer search. */
static uint32_t root_fraction(unsigned prime, int cube) {
  unsigned __int128 wanted = (unsigned __int128)prime << (cube ? 96 : 64);
  uint64_t low = 0, high = (uint64_t)1 << 37;
  while (high - low > 1) {
    uint64_t middle = low + (high - low) / 2;
    unsigned __int128 power = (unsigned __int128)middle * middle;
    int below = cube ? power <= wanted / middle : power <= wanted;
    if (below)
      low = middle;
    else
      high = middle;
  }
  return (uint32_t)low;
}

static void set_up(void) {
  unsigned found = 0;
  for (unsigned n = 2; found < 64; n++) {
    int prime = 1;
    for (unsigned d = 2; d * d <= n; d++)
      if (n % d == 0)
        prime = 0;
    if (!prime)
      continue;
    if (found < 8)
      hash[found] = root_fraction(n, 0);
    k[found++] = root_fraction(n, 1);
  }
}

static void compress(const uint8_t *block) {
  uint32_t w[64], s[8];
  for (int i = 0; i < 16; i++)
    w[i] = (uint32_t)block[4 * i] << 24 | block[4 * i + 1] << 16 | block[4 * i + 2] << 8 |
           block[4 * i + 3];
  for (int i = 16; i < 64; i++) {
    uint32_t a = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
    uint32_t b = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + a + w[i - 7] + b;
  }
  for (int i = 0; i < 8; i++)
    s[i] = hash[i];
  for (int i = 0; i < 64; i++) {
    uint32_t e = rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25);
    uint32_t one = s[7] + e + ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i];
    uint32_t a = rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22);
    uint32_t two = a + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    for (int j = 7; j > 0; j--)
      s[j] = s[j - 1];
    s[4] += one;
    s[0] = one + two;
  }
  for (int i = 0; i < 8; i++)
    hash[i] += s[i];
}

int main(void) {
  set_up();
  uint8_t block[64];
  for (int i = 0; i < 64; i++)
    block[i] = (uint8_t)(3 * i + 1);
  for (unsigned i = 0; i < ITER; i++)
    compress(block);
  for (int i = 0; i < 64; i++)
    block[i] = i == 0 ? 0x80 : 0;
  uint64_t bits = (uint64_t)ITER * 512;
  for (int i = 0; i < 8; i++)
    block[63 - i] = (uint8_t)(bits >> 8 * i);
  compress(block);
  for (int i = 0; i < 8; i++)
    printf("%08x", hash[i]);
  printf("\n");
  return 0;
}
