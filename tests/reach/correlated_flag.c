// A flag remembers a comparison.
// input: 1
#include <byway.h>

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    int large = 0, checked = 0;
    if (x > 10)
        large = 1;
    if (x % 3 == 0)
        checked = 1;
    if (large && x <= 10)
        return 1; // TARGET unreachable
    if (large && checked && x < 13)
        return 2; // TARGET reached
    if (!large && checked && x == 8)
        return 3; // TARGET unreachable
    return 0;
}
