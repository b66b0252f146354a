// One path: N symbolic objects, each read once.
#include <klee/klee.h>

int main(void) {
  unsigned sum = 0;
  for (unsigned i = 0; i < N; i++) {
    unsigned char x;
    klee_make_symbolic(&x, sizeof x, "x");
    sum += x;
  }
  return sum == 7;
}
