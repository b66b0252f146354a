// Objects that are still reachable when the program exits are no leaks: from globals, from a
// local variable of a function that calls exit, from other objects, by pointers into their
// middle, and by what the C library keeps.
// paths: 1
// exit-codes: 0
// checks: leak
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    char text[8];
};

static struct node *list;
static char *middle;
static long hidden[2];

static void at_exit(void) {
    puts("bye");
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = list;
        list = node;
    }
    middle = (char *)malloc(10) + 5;
    hidden[1] = (long)strdup("x");
    setenv("NAME", "value", 1);
    atexit(at_exit);
    FILE *file = fopen("/dev/null", "w");
    fprintf(file, "%d", 1);
    void *aligned = NULL;
    if (posix_memalign(&aligned, 64, 10))
        return 2;
    char *local = malloc(7);
    free(malloc(9));
    exit(local == NULL || aligned == NULL || file == NULL);
}
