// One path with N conditions, each on an input of its own.
#include <klee/klee.h>

int main(void) {
  for (unsigned i = 0; i < N; i++) {
    unsigned char x;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_assume(x != 7);
  }
  return 0;
}
