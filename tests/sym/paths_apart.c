// Globals of many types, reset on every path: writes of one path are invisible to others.
// paths: 4
// exit-codes: 1
// faults: none
#include <byway.h>
#include <stdlib.h>

static int counter = 1;
static int *heap;

static int bump(void)
{
    static int calls;
    heap[0]++;
    return counter += ++calls;
}

int main(void)
{
    unsigned char a, b;
    byway_make_symbolic(&a, sizeof a, "a");
    byway_make_symbolic(&b, sizeof b, "b");
    heap = calloc(2, sizeof *heap);
    int expected = 1, calls = 0;
    if (a > 7) {
        expected += ++calls;
        bump();
    }
    if (b > 7) {
        expected += ++calls;
        bump();
    }
    return counter == expected && heap[0] == calls ? 1 : 0;
}
