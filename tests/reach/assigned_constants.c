// Lines that only assign a constant or another variable leave no code of their own.
// input: 1
#include <byway.h>

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    int y = 0; // TARGET reached
    int other;
    int last = 3;
    switch (x >> 6) {
    case 0:
        y = 1; // TARGET reached
        other = y; // TARGET reached
        break;
    case 1:
        y = 2; // TARGET reached
        last = 9;
        other = 7; // TARGET reached
        break;
    case 5:
        y = 3; // TARGET unreachable
        other = 4;
        break;
    default:
        other = 5; // TARGET reached
        last = other; // TARGET reached
    }
    if (last == 5 && other != 5)
        last = 6; // TARGET unreachable
    return y + other + last;
}
