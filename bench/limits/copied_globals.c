// Many states, each with its own copy of a large table.
#include <klee/klee.h>

static char table[1 << 18];

int main(void) {
  unsigned char bytes[24];
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  for (int i = 0; i < 24; i++) {
    int bit = bytes[i] > 100;
    if (bytes[i] > 100)
      bit = 2;
    for (unsigned at = 0; at < sizeof table; at += 512)
      table[at] = (char)(table[at] * 3 + bit + i);
  }
  return table[512];
}
