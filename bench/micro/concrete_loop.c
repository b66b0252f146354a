/* Integer arithmetic and memory in one small loop, without any call to libc:
 * per iteration a xorshift generator of 64 bits makes one step and one word of a
 * table of 4 KiB is read, changed and written back.
 *
 * ITER is the number of iterations. The sum of all words read decides the exit
 * code, so that no optimiser can drop the loop.
 */
#ifndef ITER
#define ITER 1000000u
#endif

enum { WORDS = 4096 / sizeof(unsigned) };
static unsigned words[WORDS];

static unsigned long long xorshift(unsigned long long x) {
  x ^= x << 13;
  x ^= x >> 7;
  return x ^ (x << 17);
}

int main(void) {
  unsigned long long state = 0x1234567890abcdefull;
  unsigned sum = 0;
  for (unsigned i = 0; i < ITER; i++) {
    state = xorshift(state);
    unsigned at = (unsigned)(state >> 20) & (WORDS - 1);
    unsigned value = words[at] + (unsigned)state;
    words[at] = value ^ i;
    sum += value;
  }
  return sum == 0;
}
