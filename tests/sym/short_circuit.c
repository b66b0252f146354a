// && and || are branches.
// paths: 7
// exit-codes: 0 1
#include <byway.h>

int main(void)
{
    unsigned char a, b, c;
    byway_make_symbolic(&a, sizeof a, "a");
    byway_make_symbolic(&b, sizeof b, "b");
    byway_make_symbolic(&c, sizeof c, "c");
    if ((a == 1 && b == 2) || (c == 3 && a != b))
        return 1;
    return 0;
}
