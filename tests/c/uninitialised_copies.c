// Values that were never set, but decide nothing: copies, padding, bit-fields, masked bits.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fields {
    unsigned a : 3, b : 5, c : 9;
};

struct padded {
    char c;
    int x;
};

union either {
    char text[16];
    int number;
};

static struct padded pass(struct padded s) {
    s.x++;
    return s;
}

static int choose(int which) {
    int value;
    if (which > 0)
        value = which;
    return which > 0 ? value : 0;
}

static unsigned low(unsigned x) {
    return x & 0xff;
}

int main(void) {
    char *p, *q;
    memcpy(&q, &p, sizeof q);
    struct fields f;
    f.a = 1;
    f.c = 200;
    for (int i = 0; i < 1000; i++)
        f.a = (f.a + 1) & 7;
    printf("%d %d\n", f.a, f.c);
    struct padded s, *heap = malloc(3 * sizeof *heap);
    s.c = 'x';
    s.x = 4;
    s = pass(s);
    heap[1] = s;
    heap[2] = heap[1];
    printf("%c %d\n", heap[2].c, heap[2].x);
    free(heap);
    union either u;
    u.number = 7;
    union either v = u;
    printf("%d\n", v.number);
    printf("%d %d\n", choose(3), choose(0));
    unsigned word;
    memset(&word, 5, 1);
    printf("%u\n", low(word));
    if ((word & 1) == 1)
        puts("odd");
    char buffer[64];
    memmove(buffer + 1, buffer, 32);
    strcpy(buffer, "text");
    puts(buffer);
    for (int i = 0; i < 2; i++) {
        int x;
        x = i;
        int *at = &x;
        printf("%d\n", *at);
    }
    return 0;
}
