// The address of an object as an index of null: a usable pointer, also with a symbolic addend.
// paths: 2
// exit-codes: 1 2
// faults: none
#include <byway.h>
#include <stdint.h>

int a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};

int main(void)
{
    int local[2] = {9, 10};
    int *p = (int *)&((char *)0)[(long)&a];
    int *q = (int *)&((char *)0)[(long)&local];
    int *r = (int *)((char *)0 + (uintptr_t)&a + 4);
    int *s = (int *)&((char *)&b)[(long)&a - (long)&b];
    if (*p != 1 || *q != 9 || *r != 2 || s != a)
        return 99;
    *p = 11;
    if (a[0] != 11)
        return 98;
    int n = byway_range(0, 4, "n");
    int *t = (int *)&((char *)0)[(long)&a + 4 * n];
    int *u = (int *)&((char *)(4l * n))[(long)&a];
    if (t != u || *t != *u || *t != a[n])
        return 97;
    if (*t == 3)
        return 2;
    return 1;
}
