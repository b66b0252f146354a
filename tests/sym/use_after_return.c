// A pointer to a local that outlives its function on one path.
// paths: 2
// exit-codes: 5
// faults: use-after-return@21
#include <byway.h>

static int kept = 5;

static int *choose(int which)
{
    int local = 6;
    int *result = &kept;
    if (which == 3)
        result = &local;
    return result;
}

int main(void)
{
    int *p = choose(byway_int("which"));
    return *p;
}
