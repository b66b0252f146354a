/* A walk through a fixed maze under symbolic moves, one byte each. Every step
 * has up to five outcomes: four directions, or stop. Walking into a wall ends the
 * path. Reaching the exit at '#' is reported as an error, which must not keep the
 * rest from being explored. The only route has 28 moves.
 *
 * STEPS is the number of moves (default 30). As it is, no cell is entered twice:
 * few paths, and deep ones. With -DREVISIT cells can be entered again and the
 * paths grow exponentially with STEPS; -DREVISIT -DSTEPS=12 has 3953, the exit is
 * out of reach, and all work is in the forks.
 */
// paths: 113
// faults: reported@47 x1
#include <klee/klee.h>
#ifndef STEPS
#define STEPS 30
#endif
#define W 11
#define H 7
static char maze[H][W + 1] = {
    "+-+-----+-+",
    "| |     |#|",
    "| | --+ | |",
    "| |   | | |",
    "| +-- | | |",
    "|     |   |",
    "+-----+---+",
};
int main(void) {
  char prog[STEPS];
  int x = 1, y = 1;
  klee_make_symbolic(prog, sizeof prog, "prog");
#ifndef REVISIT
  maze[y][x] = 'X';
#endif
  for (int i = 0; i < STEPS; i++) {
#ifndef REVISIT
    int ox = x, oy = y;
#endif
    switch (prog[i]) {
    case 'w': y--; break;
    case 's': y++; break;
    case 'a': x--; break;
    case 'd': x++; break;
    default: return 2; /* stop */
    }
    if (maze[y][x] == '#')
      klee_report_error(__FILE__, __LINE__, "maze: exit reached", "user.err");
    if (maze[y][x] != ' ')
      return 1; /* wall, or a cell already visited */
#ifndef REVISIT
    maze[oy][ox] = 'X';
    maze[y][x] = 'X';
#endif
  }
  return 0;
}
