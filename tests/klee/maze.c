/* The puzzle of the maze: the way out is an assertion that fails.
 *
 * run: klee --emit-all-errors %.bc; ls klee-last
 * expect: .assert.err
 */
#include <klee/klee.h>

static char maze[5][8] = {
	"+-+---+", "| |  #|", "| | +-|", "|   | |", "+---+-+",
};

int main(void)
{
	char moves[8];
	int x = 1, y = 1;
	klee_make_symbolic(moves, sizeof moves, "moves");
	for (int i = 0; i < 8; i++) {
		int ox = x, oy = y;
		switch (moves[i]) {
		case 'w': y--; break;
		case 's': y++; break;
		case 'a': x--; break;
		case 'd': x++; break;
		default: return 1;
		}
		if (maze[y][x] == '#')
			klee_assert(0);
		if (maze[y][x] != ' ')
			return 1;
		maze[oy][ox] = '.';
	}
	return 0;
}
