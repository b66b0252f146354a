// Calls through a table at a symbolic index: one path per function, and one more where
// the function branches.
// paths: 5
// exit-codes: 0 1 2 3 4
// faults: none
#include <byway.h>

static int zero(int n) { return n * 0; }
static int one(int n)
{
    if (n > 10)
        return 1;
    return 4;
}

static int two(int n) { return 2 + n * 0; }
static int three(int n) { return 3 + n * 0; }

static int (*const table[])(int) = {zero, one, two, three};

int main(void)
{
    unsigned char i, n;
    byway_make_symbolic(&i, sizeof i, "i");
    byway_make_symbolic(&n, sizeof n, "n");
    return table[i % 4](n);
}
