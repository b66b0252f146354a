// One path: an object of N symbolic bytes, each read once.
#include <klee/klee.h>

unsigned char x[N];

int main(void) {
  klee_make_symbolic(x, sizeof x, "x");
  unsigned sum = 0;
  for (unsigned i = 0; i < N; i++)
    sum += x[i];
  return sum == 7;
}
