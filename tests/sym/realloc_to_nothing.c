// realloc to a symbolic size: zero frees the object and returns null, as in glibc.
// paths: 3
// faults: double-free@16
// exit-codes: 0 1
#include <byway.h>
#include <stdlib.h>

int main(void)
{
    unsigned char n, again;
    byway_make_symbolic(&n, sizeof n, "n");
    byway_make_symbolic(&again, sizeof again, "again");
    char *block = malloc(4), *moved = realloc(block, n);
    if (!moved) {
        if (again)
            free(block);
        return 1;
    }
    free(moved);
    return 0;
}
