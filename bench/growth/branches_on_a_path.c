// N + 1 paths: the longest has N conditions, each on a byte of its own, and the others leave it.
#include <klee/klee.h>

unsigned char x[N];

int main(void) {
  klee_make_symbolic(x, sizeof x, "x");
  for (unsigned i = 0; i < N; i++)
    if (x[i] == 7)
      return 0;
  return 1;
}
