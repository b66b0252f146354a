// Many inputs of one path, each a name and bytes in every test.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  unsigned sum = 0;
  for (;;) {
    unsigned char *block = malloc(4096);
    if (!block)
      return 1;
    klee_make_symbolic(block, 4096, "block");
    if (block[0] == 1)
      sum += block[1];
    if (sum == 77)
      return 2;
  }
}
