// One path: a huge table, whose pages are written one by one, which cannot fail.
#include <klee/klee.h>

static char table[3ul << 30];

int main(void) {
  int stop;
  klee_make_symbolic(&stop, sizeof stop, "stop");
  if (stop == 3)
    return 0;
  for (unsigned long at = 0; at < sizeof table; at += 1024)
    table[at] = 1;
  return 0;
}
