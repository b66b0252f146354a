// A table of labels; the address of the last one is taken, but no index leads to it.
// input: 1
#include <byway.h>

int main(void)
{
    static void *const label[] = {&&first, &&second, &&third, &&never};
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    goto *label[x % 3];
first:
    return 1; // TARGET reached
second:
    return 2; // TARGET reached
third:
    return 3; // TARGET reached
never:
    return 4; // TARGET unreachable
}
