// A comparator that qsort calls. Elements that differ never compare equal.
// input: 2
#include <byway.h>
#include <stdlib.h>

int greater;

static int compare(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;
    if (a > b)
        greater = 1;
    if (a == b && left != right)
        return 0; // TARGET unreachable
    return a < b ? -1 : 1;
}

int main(void)
{
    unsigned char x, y;
    byway_make_symbolic(&x, sizeof x, "x");
    byway_make_symbolic(&y, sizeof y, "y");
    int items[3] = {x, 256 + y, 600 - x};
    if (items[1] == items[2])
        return 0;
    qsort(items, 3, sizeof *items, compare);
    if (items[0] > items[1] || items[1] > items[2])
        return 1; // TARGET unreachable
    if (items[2] == 256 + y && greater)
        return 2; // TARGET reached
    return 0;
}
