// Figure 5 of "Dependence guided symbolic execution": two branches that no statement connects, but
// whose conditions exclude x > 1 with x <= 0. The paper's line n is line n + 11 here.
// paths: 3
// exits: 3
// faults: none
#include <byway.h>

static int first_out, sec_out;

static void test(int x)
{
    int a = 1;
    int b = 2;
    if (x > 1)
        a = 2;
    if (x > 0)
        b = x;
    first_out = a;
    sec_out = b;
}

int main(void)
{
    int x;
    byway_make_symbolic(&x, sizeof x, "x");
    test(x);
    return 0;
}
