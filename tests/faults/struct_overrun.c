// Writing past the end of a struct through a pointer to its last member.
#include <stdlib.h>

struct packet { int length; char data[12]; };

int main(void) {
    struct packet *p = malloc(sizeof *p);
    p->length = 13;
    char *d = p->data;
    for (int i = 0; i < p->length; i++)
        d[i] = 'x'; // FAULT out-of-bounds
    free(p);
    return 0;
}
