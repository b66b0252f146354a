// One path: a growing array that is copied as it grows.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  size_t capacity = 1024, count = 0;
  int value;
  klee_make_symbolic(&value, sizeof value, "value");
  int *values = malloc(capacity * sizeof *values);
  for (;;) {
    if (count == capacity) {
      capacity *= 2;
      int *more = realloc(values, capacity * sizeof *values);
      if (!more)
        return 1;
      values = more;
    }
    values[count] = count % 16 == 0 ? value : (int)count;
    count++;
  }
}
