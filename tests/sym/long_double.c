// long double is not solved for: its value is fixed on the way, and that is counted.
// faults: none
// lost: concretised
#include <byway.h>

int main(void)
{
    unsigned char c;
    byway_make_symbolic(&c, sizeof c, "c");
    long double x = c;
    x = x * x / 2;
    if (x > 10)
        return 1;
    return 0;
}
