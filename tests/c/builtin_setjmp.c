// __builtin_setjmp and __builtin_longjmp: out of nested calls, more than once through one buffer.
#include <stdio.h>

static void *buffer[5];
static int depth;

__attribute__((noinline)) static void descend(int n) {
    depth++;
    if (n == 0)
        __builtin_longjmp(buffer, 1);
    descend(n - 1);
    depth = -1000;
}

int main(void) {
    volatile int tries = 0;
    if (__builtin_setjmp(buffer))
        printf("back from depth %d\n", depth);
    else
        printf("first\n");
    if (tries++ < 3)
        descend(tries * 3);
    printf("%d tries, %d calls\n", tries, depth);
    return 0;
}
