// The exit code is the low byte of exit's argument; _Exit skips handlers.
#include <stdio.h>
#include <stdlib.h>

static void never(void) { printf("not printed\n"); }

int main(void) {
    atexit(never);
    printf("leaving\n");
    fflush(stdout);
    _Exit(0x1234 + 7);
}
