// Reading a heap block after it was freed.
#include <stdlib.h>

struct node { struct node *next; int value; };

int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        n->value = i;
        list = n;
    }
    for (struct node *n = list; n; n = n->next) // FAULT use-after-free
        free(n);
    return 0;
}
