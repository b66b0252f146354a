// Pointer arithmetic, differences, comparisons, pointers to pointers, arrays of arrays, round trips through integers.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N __attribute__((noinline)) static
N ptrdiff_t distance(const int *a, const int *b) { return b - a; }
N int sum(const int *first, const int *last) {
    int s = 0;
    while (first != last)
        s = s * 2 + *first++;
    return s;
}
N int index_types(const int *p, signed char a, short b, long c, unsigned char d) { return p[a] + p[b] + p[c] + p[d] + (p + 5)[-2] + 3 [p]; }
N void swap(void **a, void **b) {
    void *t = *a;
    *a = *b;
    *b = t;
}
N int cube(int (*m)[3][4], int i, int j, int k) { return m[i][j][k] + (int)(&m[i][j][k] - &m[0][0][0]); }
N uintptr_t tag(void *p, unsigned bits) { return (uintptr_t)p | bits; }
N void *untag(uintptr_t v) { return (void *)(v & ~(uintptr_t)7); }
N char *align_up(char *p, size_t n) { return (char *)(((uintptr_t)p + n - 1) & -n); }
struct link { struct link *next; int v; };
N void insert(struct link **list, struct link *fresh) {
    while (*list && (*list)->v < fresh->v)
        list = &(*list)->next;
    fresh->next = *list;
    *list = fresh;
}

int main(void) {
    int a[10];
    for (int i = 0; i < 10; i++)
        a[i] = i * i - 7;
    printf("%td %td %d %d\n", distance(a, a + 7), distance(a + 9, a), sum(a, a + 10), index_types(a, 1, 2, 3, 4));
    int m[2][3][4];
    for (int i = 0; i < 24; i++)
        (&m[0][0][0])[i] = 100 + i;
    printf("%d %d\n", cube(m, 1, 2, 3), cube(m, 0, 1, 1));
    char *x = "x", *y = "y";
    swap((void **)&x, (void **)&y);
    printf("%s%s\n", x, y);
    uint64_t *p = malloc(64);
    uintptr_t t = tag(p, 5);
    p[3] = 33;
    printf("%d %llu %d\n", (int)(t & 7), (unsigned long long)((uint64_t *)untag(t))[3], untag(t) == p);
    char raw[64], *up = align_up(raw, 16);
    printf("%d %d\n", (uintptr_t)up % 16 == 0, up - raw < 16);
    free(p);
    struct link nodes[6], *list = NULL;
    static const int values[] = {5, 1, 4, 9, 2, 7};
    for (int i = 0; i < 6; i++) {
        nodes[i].v = values[i];
        insert(&list, &nodes[i]);
    }
    for (; list; list = list->next)
        printf("%d ", list->v);
    printf("\n");
    const char *s = "hello", *q = s + strlen(s);
    while (q > s)
        putchar(*--q);
    putchar('\n');
    printf("%d %d\n", &a[3] < &a[4], (void *)a == (void *)&a);
    return 0;
}
