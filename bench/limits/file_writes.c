// Output: a file that grows, and lines printed.
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  unsigned char byte;
  klee_make_symbolic(&byte, sizeof byte, "byte");
  FILE *file = fopen("/tmp/grows", "w");
  if (!file)
    return 1;
  for (int i = 0; fprintf(file, "line %d of %d: %0400d\n", i, byte > 9 ? 1 : 2, i) > 0; i++)
    if (i % 1000 == 0)
      printf("%d\n", i);
  return 2;
}
