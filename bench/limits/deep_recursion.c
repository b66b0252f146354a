// One path: a deep stack with large frames.
#include <klee/klee.h>

static volatile int sink;

static int descend(int depth, int value) {
  char local[512];
  for (unsigned i = 0; i < sizeof local; i += 64)
    local[i] = (char)(depth + i);
  sink = local[64];
  if (depth == 0)
    return value;
  return descend(depth - 1, value + 1) + local[depth % 512];
}

int main(void) {
  int value;
  klee_make_symbolic(&value, sizeof value, "value");
  return descend(100000000, value);
}
