// Two bytes add up to 510 at most.
// input: 2
#include <byway.h>

int main(void)
{
    unsigned char x, y;
    byway_make_symbolic(&x, sizeof x, "x");
    byway_make_symbolic(&y, sizeof y, "y");
    int sum = x + y;
    if (sum > 510)
        return 1; // TARGET unreachable
    if (sum == 510)
        return 2; // TARGET reached
    return 0;
}
