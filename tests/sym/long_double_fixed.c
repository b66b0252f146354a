// Other long doubles are concretised unless solving for them is enabled, and that is
// counted.
// faults: none
// lost: concretised
#include <byway.h>

int main(void)
{
    unsigned char c;
    byway_make_symbolic(&c, sizeof c, "c");
    long double x = c;
    x = x / 10;
    if (x > 10)
        return 1;
    return 0;
}
