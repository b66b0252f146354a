// assert, abort, a trap, unreachable code, and paths without a fault.
// paths: 6
// exits: 2
// faults: assert@12, abort@14, trap@16, assert@18
#include <assert.h>
#include <byway.h>
#include <stdlib.h>

int main(void)
{
    int n = byway_int("n");
    assert(n != 5);
    if (n == 7)
        abort();
    if (n == 50)
        __builtin_trap();
    if (n > 2) {
        assert(n * 2 != 102);
        return 0;
    }
    return 1;
}
