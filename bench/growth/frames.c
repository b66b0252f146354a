// One path: N nested calls.
#include <klee/klee.h>

static unsigned descend(unsigned depth, unsigned value) {
  if (depth == 0)
    return value;
  return descend(depth - 1, value + 1) + 1;
}

int main(void) {
  unsigned value;
  klee_make_symbolic(&value, sizeof value, "value");
  return descend(N, value) == 7;
}
