/* N branches whose conditions share all bytes: a running mix of 32 bits of all
 * bytes read so far is tested in each round, so the path condition cannot be
 * split by independence and each query mentions all bytes before it. Bytes are
 * limited to 0..15 by klee_assume. Measures solving over a growing path
 * condition.
 *
 * N is the number of branches (default 9): 2^N paths.
 */
// paths: 512
#include <klee/klee.h>
#ifndef N
#define N 9
#endif
int main(void) {
  unsigned char b[N];
  unsigned acc = 1;
  unsigned taken = 0;
  klee_make_symbolic(b, sizeof b, "b");
  for (int i = 0; i < N; i++) {
    klee_assume(b[i] < 16);
    acc = acc * 5u + b[i];
    if ((acc ^ (acc >> 3)) & 4u)
      taken++;
  }
  return taken > N;
}
