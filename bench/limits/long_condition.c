// One long path: a path condition that grows with every step.
#include <klee/klee.h>

int main(void) {
  unsigned x[4];
  klee_make_symbolic(x, sizeof x, "x");
  for (unsigned i = 1;; i++) {
    klee_assume(x[i % 4] != i * 2654435761u);
    if (x[(i + 1) % 4] == i * 40503u)
      return i;
  }
}
