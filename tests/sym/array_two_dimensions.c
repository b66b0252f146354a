// Rows and columns: an index too large by one row is out of bounds, a column too
// far only reaches the next row.
// paths: 5
// exits: 4
// exit-codes: 0 1 2
// faults: out-of-bounds@17
#include <byway.h>

static unsigned char grid[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};

int main(void)
{
    unsigned char row, column;
    byway_make_symbolic(&row, sizeof row, "row");
    byway_make_symbolic(&column, sizeof column, "column");
    byway_assume((row < 4) & (column < 5));
    unsigned char found = grid[row][column];
    if (found == 7)
        return 1;
    if (column == 4 && row == 1) // the first of the last row
        return found == 9 ? 2 : 3;
    return 0;
}
