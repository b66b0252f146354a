/* Keeps numbers in a sorted linked list and prints statistics about them:
 * pointers, floating point, and the maths library.
 *
 *     byway exec examples/sorted_list.c -- 3 1 4 1 5 9 2 6
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    double value;
    struct node *next;
};

static struct node *insert(struct node *list, double value) {
    struct node **link = &list;
    while (*link && (*link)->value < value)
        link = &(*link)->next;
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->value = value;
    node->next = *link;
    *link = node;
    return list;
}

int main(int argc, char **argv) {
    struct node *list = NULL;
    double sum = 0, squares = 0;
    for (int i = 1; i < argc; i++) {
        double value = strtod(argv[i], NULL);
        list = insert(list, value);
        sum += value;
        squares += value * value;
    }
    if (!list) {
        fprintf(stderr, "usage: sorted_list NUMBER...\n");
        return 2;
    }
    for (struct node *n = list; n; n = n->next)
        printf("%g%c", n->value, n->next ? ' ' : '\n');
    double count = argc - 1, mean = sum / count;
    printf("mean %.3f, deviation %.3f\n", mean, sqrt(squares / count - mean * mean));
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
