/* The interpreter's speed where nothing is symbolic, and no function of libc is
 * called: per iteration a xorshift generator of 64 bits makes one step and one
 * word of a table of 4 KiB is read, changed and written back.
 *
 * ITER is the number of iterations (default 1,000,000). The sum of all words read
 * decides the exit code, so that no optimiser can drop the loop.
 */
// paths: 1
#ifndef ITER
#define ITER 1000000u
#endif
static unsigned table[1024];

static unsigned long long step(unsigned long long x) {
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return x;
}

int main(void) {
  unsigned long long s = 88172645463325252ull;
  unsigned acc = 0;
  for (unsigned i = 0; i < ITER; i++) {
    s = step(s);
    unsigned k = (unsigned)(s >> 20) & 1023u;
    unsigned v = table[k] + (unsigned)s;
    table[k] = v ^ i;
    acc += v;
  }
  return acc == 0 ? 1 : 0;
}
