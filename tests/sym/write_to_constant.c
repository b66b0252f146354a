// A write through a table that accesses a constant for one index.
// paths: 3
// exit-codes: 0
// faults: write-to-constant@16
#include <byway.h>

static int first, second;
static const int fixed = 3;

int main(void)
{
    int *table[3] = {&first, (int *)&fixed, &second};
    unsigned char i;
    byway_make_symbolic(&i, sizeof i, "i");
    byway_assume(i < 3);
    *table[i] = 1;
    return 0;
}
