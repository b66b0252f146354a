// A sorted list: inserting keeps it sorted.
// input: 3
// bytes: \0\1\2\3\4
#include <byway.h>
#include <stdlib.h>

struct node {
    unsigned char value;
    struct node *next;
};

static struct node *insert(struct node *list, unsigned char value)
{
    if (list && list->value < value) {
        list->next = insert(list->next, value); // TARGET reached
        return list;
    }
    if (list && list->value == value)
        return list; // TARGET reached
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = list;
    return node;
}

int main(void)
{
    unsigned char values[3];
    byway_make_symbolic(values, sizeof values, "values");
    struct node *list = NULL;
    for (int i = 0; i < 3; i++)
        list = insert(list, values[i]);
    int length = 0, sorted = 1;
    while (list) {
        struct node *next = list->next;
        if (next && next->value <= list->value)
            sorted = 0; // TARGET unreachable
        free(list);
        list = next;
        length++;
    }
    if (length == 1)
        return 1; // TARGET reached
    if (length == 0 || length > 3)
        return 2; // TARGET unreachable
    return sorted ? 0 : 3;
}
