// Terms that grow: products and shifts of earlier results.
#include <klee/klee.h>

static unsigned long results[1 << 16];

int main(void) {
  unsigned long x;
  klee_make_symbolic(&x, sizeof x, "x");
  unsigned long y = x | 1;
  for (unsigned i = 0;; i++) {
    y = y * (x + i) ^ (y >> (i % 13)) ^ (y << 7);
    results[i % (1 << 16)] += y;
    if (i % 4096 == 4095 && results[i % 17] == 42)
      return 1;
  }
}
