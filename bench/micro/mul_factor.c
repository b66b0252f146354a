/* Two symbolic factors of 16 bits of a constant product of 32 bits (40013 * 55001
 * = 2200755013): arithmetic that is not linear. Two paths, one hard query.
 */
// paths: 2
#include <klee/klee.h>
int main(void) {
  unsigned short a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_assume(a > 1);
  klee_assume(b >= a);
  if ((unsigned)a * (unsigned)b == 40013u * 55001u)
    return 1;
  return 0;
}
