// Targets in one iteration of a loop.
// input: 1
#include <byway.h>

int result;

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    for (int i = 0; i < x % 32; i++) {
        if (i == 17)
            result = 1; // TARGET reached
        if (i == 31)
            result = 2; // TARGET unreachable
    }
    return result;
}
