// A pointer from a table, at a symbolic index: one path per object.
// paths: 4
// exit-codes: 11 22 33 44
// faults: none
#include <byway.h>

static int a = 1, b = 2, c = 3, d = 4;
static int *const table[4] = {&a, &b, &c, &d};

int main(void)
{
    unsigned char i;
    byway_make_symbolic(&i, sizeof i, "i");
    int *chosen = table[i & 3];
    *chosen *= 11;
    return a % 11 == 0 ? a : b % 11 == 0 ? b : c % 11 == 0 ? c : d;
}
