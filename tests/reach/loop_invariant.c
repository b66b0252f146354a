// Two counters keep their ratio.
// input: 1
#include <byway.h>

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    int i = 0, j = 0;
    while (i < (x & 15)) {
        i++;
        j += 2;
        if (j != 2 * i)
            return 1; // TARGET unreachable
    }
    if (j == 26)
        return 2; // TARGET reached
    if (j == 27)
        return 3; // TARGET unreachable
    return 0;
}
