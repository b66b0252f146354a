// Halves of a byte are exact, tenths are not.
// input: 1
#include <byway.h>

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    double half = x / 2.0;
    if (half + half != x)
        return 1; // TARGET unreachable
    double tenth = 0.1 * x;
    if (tenth + tenth + tenth != 0.3 * x)
        return 2; // TARGET reached
    if (tenth > 25.6)
        return 3; // TARGET unreachable
    return 0;
}
