// A program of the competition that defines its own reach_error.
// paths: 3
// exit-codes: 0
// faults: assert@14, abort@30
// excluded: 1
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);

static void reach_error(void)
{
    assert(0);
}

static void check(int condition)
{
    if (!condition) {
        reach_error();
        abort();
    }
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n < 1000);
    if (n > 998)
        abort();
    check(n * n != 961);
    return 0;
}
