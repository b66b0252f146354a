// Every path is longer than the limit, so the search cannot exclude the target.
// input: 1
// run: --max-path-instructions 2000
#include <byway.h>

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    if (x > 250)
        return 1; // TARGET reached
    unsigned sum = 0;
    for (int i = 0; i < 10000; i++)
        sum += i;
    if ((x * x + sum % 4) % 4 == 2)
        return 2; // TARGET undecided
    return 0;
}
