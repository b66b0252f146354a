/* A maze whose treasure is walled in. It cannot be reached, or so the assertion
 * claims. Byway explores all walks of thirty moves and finds the entrance.
 *
 *     byway run examples/maze.c              explores it: one fault, its test is the walk
 *     byway show examples/byway-last 1       prints the moves of a test
 *     byway exec examples/maze.c -- sssss    walks the moves given, and draws them
 *
 * What it shows: the four cases of a switch become four paths, a path that runs
 * into a wall ends at once, and one walk remains that violates the assertion.
 */
// paths: 185
// faults: assert@59 x1
#include <assert.h>
#include <byway.h>
#include <stdio.h>
#include <string.h>

enum { MOVES = 30 };

static char maze[][14] = {
    "+-+---+-----+",
    "|@|   |     |",
    "| | | | +-+ |",
    "| | | | |$! |",
    "| | | | +-+-+",
    "| | | |     |",
    "| +-+ | +-- |",
    "|       |   |",
    "+-------+---+",
};

/* The hero cannot cross his own trail: it counts as a wall. */
static int blocked(char tile) { return tile == '+' || tile == '-' || tile == '|' || tile == '.'; }

static void draw(void) {
    for (size_t row = 0; row < sizeof maze / sizeof *maze; row++)
        puts(maze[row]);
    fflush(stdout);
}

/* The number of moves before the hero is stopped. */
static int walk(const char *moves) {
    int x = 1, y = 1;
    for (int i = 0; i < MOVES; i++) {
        maze[y][x] = '.';
        switch (moves[i]) {
        case 'w': y--; break;
        case 's': y++; break;
        case 'a': x--; break;
        case 'd': x++; break;
        default: return i;
        }
        if (blocked(maze[y][x]))
            return i;
        char found = maze[y][x];
        maze[y][x] = '@';
        if (found == '$') {
            draw();
            assert(!"the treasure is walled in");
        }
    }
    return MOVES;
}

int main(int argc, char **argv) {
    char moves[MOVES] = "";
    if (argc > 1)
        strncpy(moves, argv[1], MOVES);
    else
        byway_make_symbolic(moves, sizeof moves, "moves");
    int made = walk(moves);
    if (argc > 1) {
        draw();
        printf("stopped after %d moves\n", made);
    }
    return 0;
}
