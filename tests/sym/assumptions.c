// Assumptions hold afterwards; an infeasible one ends the path silently.
// paths: 2
// exit-codes: 0 1
// excluded: 2
#include <byway.h>

int main(void)
{
    unsigned char a, b;
    byway_make_symbolic(&a, sizeof a, "a");
    byway_make_symbolic(&b, sizeof b, "b");
    byway_assume(a < 100);
    byway_assume(a != b);
    if (a > 100)
        return 9;
    if (a == 5) {
        byway_assume(b == 5); // cannot be
        return 9;
    }
    byway_assume(a >= 10 && b >= 10); // a branch: without a >= 10 nothing is left to assume
    if (a == 10)
        return 1;
    if (a < 11)
        return 9;
    return 0;
}
