// The Collatz sequence of 1 to 15 ends after 0 to 19 steps.
// input: 1
#include <byway.h>

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    byway_assume(x > 0 && x < 16);
    int n = x, steps = 0;
    while (n != 1 && steps < 30) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    if (n != 1)
        return 1; // TARGET unreachable
    if (steps == 19)
        return 2; // TARGET reached
    if (steps == 18)
        return 3; // TARGET unreachable
    return 0;
}
