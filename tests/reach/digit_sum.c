// A number and the sum of its digits leave the same remainder by nine.
// input: 1
#include <byway.h>

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    int sum = x / 100 + x / 10 % 10 + x % 10;
    if (sum % 9 != x % 9)
        return 1; // TARGET unreachable
    if (sum == 19)
        return 2; // TARGET reached
    if (sum > 19)
        return 3; // TARGET unreachable
    return 0;
}
