// Less, greater, equal, unordered: with NaN no comparison holds.
// paths: 5
// exit-codes: 1 2 3 4
#include <byway.h>

int main(void)
{
    double x, y;
    byway_make_symbolic(&x, sizeof x, "x");
    byway_make_symbolic(&y, sizeof y, "y");
    if (x < y)
        return 1;
    if (x > y)
        return 2;
    if (x == y)
        return 3;
    if (x == x && y == y)
        return 9;
    return 4;
}
