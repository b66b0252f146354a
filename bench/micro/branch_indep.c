/* N branches that have nothing to do with each other: each byte of one symbolic
 * buffer is compared with a constant, and no byte takes part in two conditions.
 * Every branch can go both ways, and the solver's work is trivial where
 * constraints are split by independence. Measures forks, the memory of states
 * and the writing of tests.
 *
 * N is the number of branches (default 14): 2^N paths.
 */
// paths: 16384
#include <klee/klee.h>
#ifndef N
#define N 14
#endif
int main(void) {
  unsigned char b[N];
  unsigned count = 0;
  klee_make_symbolic(b, sizeof b, "b");
  for (int i = 0; i < N; i++) {
    if (b[i] > 100)
      count++;
    else
      count += 2;
  }
  return count == 0;
}
