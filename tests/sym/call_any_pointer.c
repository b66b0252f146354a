// A call through one of two functions or any address above all code: one path for each
// function, and one fault.
// paths: 3
// exit-codes: 1 2
// faults: bad-function-pointer@17
// replay: no
#include <byway.h>

static int one(void) { return 1; }
static int two(void) { return 2; }

int main(void)
{
    int (*target)(void);
    byway_make_symbolic(&target, sizeof target, "target");
    byway_assume((target == one) | (target == two) | ((unsigned long)target > 1ul << 40));
    return target();
}
