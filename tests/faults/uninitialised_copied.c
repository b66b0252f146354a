// A value that was copied several times before it is used.
#include <string.h>

struct pair {
    int a, b;
};

static struct pair swap(struct pair p) {
    struct pair q = { p.b, p.a };
    return q;
}

int main(void) {
    struct pair p, q;
    p.a = 1;
    memcpy(&q, &p, sizeof q);
    q = swap(q);
    if (q.b != 1)
        return 1;
    int index[2] = { 0, 1 };
    return index[q.a]; // FAULT uninitialised-read
}
