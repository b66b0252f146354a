// Two comparisons that exclude each other.
// input: 1
#include <byway.h>

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    if (x > 5) {
        if (x < 3)
            return 1; // TARGET unreachable
        if (x < 7)
            return 2; // TARGET reached
    }
    return 0;
}
