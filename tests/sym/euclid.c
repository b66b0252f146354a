// The greatest common divisor of two small numbers by repeated division.
// paths: 7
// exits: 7
// faults: none
#include <assert.h>
#include <byway.h>

int main(void)
{
    unsigned char a, b;
    byway_make_symbolic(&a, sizeof a, "a");
    byway_make_symbolic(&b, sizeof b, "b");
    byway_assume((a > 0) & (a <= 24) & (b > 0) & (b <= 24));
    unsigned x = a, y = b;
    while (y != 0) {
        unsigned rest = x % y;
        x = y;
        y = rest;
    }
    assert(x > 0 && x <= a && x <= b);
    return x == 12 ? 1 : 0;
}
