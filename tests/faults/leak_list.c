// A list whose head is lost: its objects are reported together.
// checks: leak
#include <stdlib.h>

struct node {
    struct node *next;
};

static struct node *push(struct node *list) {
    struct node *head = malloc(sizeof *head); // FAULT leak
    head->next = list;
    return head;
}

int main(void) {
    return push(push(push(NULL)))->next == NULL;
}
