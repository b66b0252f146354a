// A pointer that may be null.
// paths: 3
// exit-codes: 7 8
// faults: null-dereference@15
#include <byway.h>

static int a = 7, b = 8;

int main(void)
{
    unsigned char i;
    byway_make_symbolic(&i, sizeof i, "i");
    byway_assume(i < 3);
    int *table[3] = {&a, 0, &b};
    return *table[i];
}
