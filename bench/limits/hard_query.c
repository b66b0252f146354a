// Queries that take the solver much memory: wide products.
#include <klee/klee.h>

int main(void) {
  unsigned long x[8], product = 1, sum = 0;
  klee_make_symbolic(x, sizeof x, "x");
  for (int round = 0; round < 64; round++) {
    for (int i = 0; i < 8; i++) {
      product = product * (x[i] | 1) + (x[(i + 1) % 8] >> round % 7);
      sum += product / (x[(i + 3) % 8] | 5);
    }
    if (product == 0x123456789abcdefUL + (unsigned long)round && sum % 1000003 == 77)
      return 1;
  }
  return 0;
}
