// A leak on the paths where an error is handled without freeing. A pointer that depends on
// input keeps the objects that it may point to.
// paths: 3
// faults: leak@17
// exit-codes: 0
// checks: leak
#include <byway.h>
#include <stdlib.h>

static char *either;

int main(void)
{
    unsigned char size, which;
    byway_make_symbolic(&size, sizeof size, "size");
    byway_make_symbolic(&which, sizeof which, "which");
    char *block = malloc(16);
    char *a = malloc(1), *b = malloc(1);
    either = (char *)((long)a + ((long)b - (long)a) * (which & 1));
    if (size > 16)
        return 0;
    if (size == 16)
        block[15] = 1;
    free(block);
    return 0;
}
