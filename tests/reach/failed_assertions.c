// An assertion that holds, one that can fail, an abort, and what follows them.
// input: 1
#include <assert.h>
#include <byway.h>
#include <stdlib.h>

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    assert(x * x >= x); // TARGET reached
    assert(x != 100); // TARGET reached
    if (x == 100)
        return 1; // TARGET unreachable
    if (x == 101)
        abort(); // TARGET reached
    if (x * x < x)
        abort(); // TARGET unreachable
    return x == 101; // TARGET reached
}
