// Nothing follows an access through a null pointer.
// input: 1
#include <byway.h>
#include <stddef.h>

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    volatile unsigned char *p = x == 50 ? NULL : &x;
    int y = *p; // TARGET reached
    if (p == NULL)
        return 1; // TARGET unreachable
    if (y == 50)
        return 2; // TARGET unreachable
    if (y == 51)
        return 3; // TARGET reached
    return 0;
}
