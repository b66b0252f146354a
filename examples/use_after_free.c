/* A list that is freed in the wrong order: the loop reads a node it has just
 * freed. Byway reports where it was read and where it was freed.
 *
 *     byway exec examples/use_after_free.c
 */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *list, int value) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->value = value;
    node->next = list;
    return node;
}

static void release(struct node *list) {
    for (struct node *n = list; n; n = n->next)
        free(n);
}

int main(void) {
    struct node *list = NULL;
    for (int i = 1; i <= 3; i++)
        list = push(list, i);
    for (struct node *n = list; n; n = n->next)
        printf("%d\n", n->value);
    release(list);
    return 0;
}
