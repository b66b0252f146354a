/* A chain of loads at symbolic indices in a constant table: a permutation of 256
 * bytes is made concretely, then x = t[x ^ b[i]] is done with symbolic bytes and
 * the last x is compared with TARGET. Two paths; all the cost is in how a read of
 * a table is put to the solver.
 *
 * D is the number of lookups (default 4).
 */
// paths: 2
#include <klee/klee.h>
#ifndef D
#define D 4
#endif
#ifndef TARGET
#define TARGET 0x5a
#endif
static unsigned char t[256];
int main(void) {
  unsigned char b[D];
  unsigned s = 12345;
  for (int i = 0; i < 256; i++)
    t[i] = (unsigned char)i;
  for (int i = 255; i > 0; i--) { /* concrete Fisher-Yates shuffle */
    s = s * 1103515245u + 12345u;
    unsigned j = (s >> 16) % (unsigned)(i + 1);
    unsigned char tmp = t[i];
    t[i] = t[j];
    t[j] = tmp;
  }
  klee_make_symbolic(b, sizeof b, "b");
  unsigned char x = 7;
  for (int i = 0; i < D; i++)
    x = t[x ^ b[i]];
  if (x == TARGET)
    return 1;
  return 0;
}
