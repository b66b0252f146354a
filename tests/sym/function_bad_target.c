// A table of functions that contains a null pointer, an object, and an index out of bounds.
// exits: 2
// exit-codes: 1 2
// faults: out-of-bounds@19, bad-function-pointer@19 x?
#include <byway.h>

static int one(void) { return 1; }
static int two(void) { return 2; }
static int number;

typedef int function(void);
static function *table[4] = {one, 0, two, 0};

int main(void)
{
    unsigned char i;
    byway_make_symbolic(&i, sizeof i, "i");
    table[3] = (function *)(unsigned long)&number;
    return table[i]();
}
