// The conditional operator, comparisons as values, and a comma.
// paths: 4
#include <byway.h>

int main(void)
{
    unsigned char a, b;
    byway_make_symbolic(&a, sizeof a, "a");
    byway_make_symbolic(&b, sizeof b, "b");
    int n = a > b;                   // no branch
    n += a > 100 ? a - 100 : 0;      // a branch
    n += (a ^= 1, a == 7);           // none
    n += !b || b > 250;              // its value is of no consequence, yet two branches
    return n > 1000;                 // never
}
