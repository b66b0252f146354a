// A sum is odd exactly if its terms differ in their last bit.
// input: 2
#include <byway.h>

int main(void)
{
    unsigned char x, y;
    byway_make_symbolic(&x, sizeof x, "x");
    byway_make_symbolic(&y, sizeof y, "y");
    if (((x + y) & 1) != ((x ^ y) & 1))
        return 1; // TARGET unreachable
    if (((x + y) & 1) && x == 3 * y)
        return 2; // TARGET unreachable
    return 0; // TARGET reached
}
