// A local array of symbolic size, and a stack that has no room for the largest.
// paths: 2
// faults: stack-exhausted@13
// exit-codes: 0
// run: --max-stack 4KiB
// replay: no
#include <byway.h>

static int use(unsigned n)
{
    char *end;
    {
        char a[n + 1];
        end = a + n;
        *end = 1;
        return *end - 1;
    }
}

int main(void)
{
    unsigned char n;
    byway_make_symbolic(&n, sizeof n, "n");
    return use(n * 32u);
}
