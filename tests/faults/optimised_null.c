// A null pointer in optimised code: a list that ends too early.
// opt: -O2
#include <stdlib.h>

struct node { struct node *next; int v; };

__attribute__((noinline)) static int nth(const struct node *n, int i) {
    while (i--)
        n = n->next; // FAULT null-dereference
    return n->v;
}

int main(void) {
    struct node c = {NULL, 3}, b = {&c, 2}, a = {&b, 1};
    struct node *volatile head = &a;
    return nth(head, 2) + nth(head, 4);
}
