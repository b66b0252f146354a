// Many versions of a large array: stores at symbolic indices.
#include <klee/klee.h>

static unsigned char array[4096];

int main(void) {
  unsigned short index[16];
  klee_make_symbolic(index, sizeof index, "index");
  unsigned sum = 0;
  for (unsigned round = 0;; round++) {
    unsigned short at = (unsigned short)(index[round % 16] * 3 + round) % sizeof array;
    array[at] = (unsigned char)(round + sum);
    sum += array[(at + round) % sizeof array];
    if (sum == round && array[7] == 9)
      return 1;
  }
}
