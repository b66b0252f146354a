// Copies and fills of symbolic length.
// exit-codes: 0 1 2
// faults: out-of-bounds@15 x?
// lost: any
#include <byway.h>
#include <string.h>

int main(void)
{
    char from[9] = "abcdefgh", to[8];
    unsigned char n;
    byway_make_symbolic(&n, sizeof n, "n");
    byway_assume(n <= 9);
    memset(to, '-', sizeof to);
    memcpy(to, from, n);
    if (to[3] == 'd')
        return to[6] == 'g' ? 2 : 1;
    return 0;
}
