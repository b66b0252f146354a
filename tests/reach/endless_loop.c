// A loop that only exits leave has nothing after it.
// input: 1
#include <byway.h>
#include <stdlib.h>

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    int i = 0;
    while (1) {
        if (i == x % 4)
            exit(i); // TARGET reached
        i++;
        if (i > 9)
            break; // TARGET unreachable
    }
    i = 0;
    return i; // TARGET unreachable
}
