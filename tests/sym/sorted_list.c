// Insertion into a sorted list on the heap: one path per order.
// paths: 24
// exit-codes: 0
// faults: none
#include <assert.h>
#include <byway.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    int in[4];
    struct node *head = 0;
    byway_make_symbolic(in, sizeof in, "in");
    for (int i = 0; i < 4; i++) {
        struct node *node = malloc(sizeof *node);
        struct node **link = &head;
        assert(node);
        node->value = in[i];
        while (*link && (*link)->value < node->value)
            link = &(*link)->next;
        node->next = *link;
        *link = node;
    }
    for (struct node *node = head; node->next; node = node->next)
        assert(node->value <= node->next->value);
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
