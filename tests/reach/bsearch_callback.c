// A comparator that bsearch calls on three keys.
// input: 1
#include <byway.h>
#include <stdlib.h>

static const int keys[] = {10, 20, 30};

static int compare(const void *key, const void *element)
{
    int a = *(const int *)key, b = *(const int *)element;
    if (b == 30 && a < 20)
        return -1; // TARGET unreachable
    if (a == b && a == 30)
        return 0; // TARGET reached
    return a < b ? -1 : a > b;
}

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    int key = x;
    int *found = bsearch(&key, keys, 3, sizeof *keys, compare);
    if (found && *found != key)
        return 1; // TARGET unreachable
    if (found == keys + 1)
        return 2; // TARGET reached
    return 0;
}
