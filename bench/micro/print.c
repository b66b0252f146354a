/* ITER lines of formatted output: libc's printf, with integers, strings and
 * doubles, and a stream's buffer. */
#include <stdio.h>

#ifndef ITER
#define ITER 5000u
#endif

int main(void) {
  static const char *const names[] = {"north", "east", "south", "west"};
  for (unsigned i = 0; i < ITER; i++)
    printf("%6u %-8s %08x %+.6f %.10g\n", i, names[i % 4], i * 2654435761u, i / 7.0, 1e5 / (i + 1));
  return 0;
}
