// One path: megabytes of symbolic bytes.
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  unsigned char byte;
  klee_make_symbolic(&byte, sizeof byte, "byte");
  for (;;) {
    char *block = malloc(1 << 20);
    if (!block)
      return 1;
    memset(block, byte, 1 << 20);
  }
}
