// Cases that fall through, and a default that no value takes.
// input: 1
#include <byway.h>

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    int sum = 0;
    switch (x & 3) {
    case 0:
        sum += 1; // TARGET reached
    case 1:
        sum += 10; // TARGET reached
        break;
    case 2:
        return 5;
        sum += 50;
    case 3:
        sum += 100; // TARGET reached
        break;
    default:
        sum = 1000; // TARGET unreachable
    }
    if (sum == 11)
        return 1; // TARGET reached
    if (sum == 1)
        return 2; // TARGET unreachable
    if (sum == 110)
        return 3; // TARGET unreachable
    return 0;
}
