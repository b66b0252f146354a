// An index below 100 into 16 MiB, of which another byte is set.
// paths: 3
// exit-codes: 0 1 2
#include <byway.h>
#include <stdlib.h>

int main(void)
{
    char *block = calloc(16 << 20, 1);
    unsigned i;
    byway_make_symbolic(&i, sizeof i, "i");
    if (!block || i >= 100)
        return 0;
    block[7] = 5;
    block[i] = 1;
    if (block[7] == 5)
        return 1;
    return 2;
}
