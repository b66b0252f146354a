// Figure 2 of "Dependence guided symbolic execution": eight paths, six of which show every
// symbolic value, and two errors. The paper's line n is line n + 14 here. Its line 13 copies a - b
// bytes to s, which cannot fail if there are none; here the last one is written.
// paths: 8
// exits: 4
// faults: out-of-bounds@27, division-by-zero@28
#include <byway.h>
#include <stdlib.h>

static int test(int x, int y, int z)
{
    int a, b, c;
    char *s;

    a = 4;
    if (x > 1)
        a = 2;
    if (y < 1)
        b = 0;
    else
        b = 2;
    if (z < 2)
        c = 7;
    else
        c = 4;
    s = malloc(a - b);
    s[a - b - 1] = 'd';
    return 1 / (a - c);
}

int main(void)
{
    int x, y, z;
    byway_make_symbolic(&x, sizeof x, "x");
    byway_make_symbolic(&y, sizeof y, "y");
    byway_make_symbolic(&z, sizeof z, "z");
    return test(x, y, z);
}
