// N paths, a power of two: a binary tree of N - 1 forks with little work between them.
#include <klee/klee.h>

int main(void) {
  unsigned x;
  klee_make_symbolic(&x, sizeof x, "x");
  unsigned set = 0;
  for (unsigned bit = 1; bit < N; bit *= 2)
    if (x & bit)
      set++;
  return set == 99;
}
