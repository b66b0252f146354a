// Jumps over code, and back.
// input: 1
#include <byway.h>

int result;

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    int rounds = 0;
    goto check;
    result = 1;
again:
    rounds++;
    if (rounds == 3)
        result = 2; // TARGET reached
    if (rounds == 5)
        result = 3; // TARGET unreachable
check:
    if (rounds < (x & 3))
        goto again;
    return result;
}
