// Reads and writes at any offset of an array of 1 GiB, in which three bytes are set.
// paths: 4
// exit-codes: 1 2 3 4
// replay: no
#include <byway.h>

static char array[1 << 30];

int main(void)
{
    unsigned i, j;
    byway_make_symbolic(&i, sizeof i, "i");
    byway_make_symbolic(&j, sizeof j, "j");
    byway_assume((i < sizeof array) & (j < sizeof array));
    array[7] = 5, array[1 << 29] = 6, array[(1 << 30) - 1] = 7;
    if (array[i] == 6)
        return i == 1 << 29 ? 1 : 0;
    array[i] = 3;
    if (array[j] == 3)
        return i == j ? 2 : 0;
    if (array[7] == 3)
        return 3;
    return 4;
}
