/* A machine with states whose next state is table[state][symbol]: 8 states, 16
 * symbols, a table that is filled concretely, and symbolic symbols (0..15). After
 * each step the machine branches on "accepting or not", so the path condition
 * carries a chain of reads at symbolic indices. It also counts its visits in an
 * array at the symbolic state: reads and writes at symbolic offsets.
 *
 * L is the number of symbols (default 5): 2^L ways through the loop, some of
 * which a last branch on the visits of state 3 splits in two.
 */
// paths: 48
#include <klee/klee.h>
#ifndef L
#define L 5
#endif
static unsigned char next_state[8][16];
static unsigned char visits[8];
int main(void) {
  unsigned char in[L];
  unsigned s = 99;
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 16; j++) {
      s = s * 1664525u + 1013904223u;
      next_state[i][j] = (unsigned char)((s >> 24) & 7u);
    }
  klee_make_symbolic(in, sizeof in, "in");
  unsigned char st = 0;
  unsigned acc = 0;
  for (int i = 0; i < L; i++) {
    klee_assume(in[i] < 16);
    st = next_state[st & 7][in[i] & 15];
    visits[st]++;
    if (st >= 5)
      acc++;
  }
  if (visits[3] >= 3)
    acc += 100;
  return acc > 1000;
}
