// A jump to an address of any value: one path for each label, and one fault.
// paths: 4
// exit-codes: 1 2 3
// faults: bad-jump@14
// replay: no
#include <byway.h>

int main(void)
{
    static void *const labels[] = {&&first, &&second, &&third};
    void *target;
    byway_make_symbolic(&target, sizeof target, "target");
    (void)labels;
    goto *target;
first:
    return 1;
second:
    return 2;
third:
    return 3;
}
