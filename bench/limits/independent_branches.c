// Many states: 64 independent branches.
#include <klee/klee.h>

int main(void) {
  unsigned char bytes[64];
  int hits = 0;
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  for (int i = 0; i < 64; i++)
    if (bytes[i] == i)
      hits++;
  return hits;
}
