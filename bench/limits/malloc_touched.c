// One path: large blocks, all written.
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  int stop;
  klee_make_symbolic(&stop, sizeof stop, "stop");
  if (stop == 3)
    return 0;
  for (int i = 0;; i++) {
    char *block = malloc(1 << 20);
    if (!block)
      return 1;
    memset(block, 1 + i % 255, 1 << 20);
  }
}
