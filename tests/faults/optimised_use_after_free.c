// Use after free in optimised code, behind two calls.
// opt: -O2
#include <stdlib.h>

struct buffer { int n; char *volatile data; };
static struct buffer buffers[2];

__attribute__((noinline)) static void drop(struct buffer *b) { free(b->data); }
__attribute__((noinline)) static int sum(const struct buffer *b) {
    int s = 0;
    for (int i = 0; i < b->n; i++)
        s += b->data[i]; // FAULT use-after-free
    return s;
}

int main(void) {
    for (int i = 0; i < 2; i++)
        buffers[i] = (struct buffer){4, calloc(4, 1)};
    int r = sum(&buffers[0]);
    drop(&buffers[0]);
    return r + sum(&buffers[1]) + sum(&buffers[0]);
}
