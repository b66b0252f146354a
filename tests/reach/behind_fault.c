// A path ends at its first fault, but a native run may continue behind it.
// run: --checks signed-overflow
// input: 2
#include <byway.h>
#include <limits.h>

static int table[3], last;

static int unset_variable(int x)
{
    int unset;
    if (x > 200)
        unset = 1;
    if (unset + x == 13)
        return 1; // TARGET undecided
    if (x == 12)
        return 2; // TARGET undecided
    return 0;
}

static int overflow(int x)
{
    int sum = INT_MAX - 9 + x % 20;
    if (sum < 0)
        return 1; // TARGET undecided
    if (sum == INT_MAX - 10)
        return 2; // TARGET undecided
    return 0;
}

static int beyond_array(int x)
{
    table[x] = 1;
    if (x > 2)
        return 1; // TARGET undecided
    return table[2]; // TARGET reached
}

static int divided(int x)
{
    last = 10 / (x - 5);
    if (x == 5)
        return 1; // TARGET unreachable
    return last; // TARGET reached
}

int main(void)
{
    unsigned char x[2];
    byway_make_symbolic(x, sizeof x, "x");
    switch (x[0]) {
    case 1:
        return unset_variable(x[1]);
    case 2:
        return overflow(x[1]);
    case 3:
        return beyond_array(x[1]);
    case 4:
        return divided(x[1]);
    }
    if (x[0] == x[1] && x[0] - x[1] == 1)
        return 5; // TARGET unreachable
    return 0;
}
