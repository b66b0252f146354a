// Several indices of a table select one function: one path per function.
// paths: 2
// exit-codes: 1 2
#include <byway.h>

static int one(void) { return 1; }
static int two(void) { return 2; }

static int (*const table[])(void) = {one, two, one, one};

int main(void)
{
    unsigned char i;
    byway_make_symbolic(&i, sizeof i, "i");
    return table[i & 3]();
}
