// Code that runs before and after main.
// input: 1
#include <byway.h>

static int started, ended;

__attribute__((constructor)) static void start(void)
{
    started = 1; // TARGET reached
    if (ended)
        started = 2; // TARGET unreachable
}

__attribute__((destructor)) static void end(void)
{
    if (ended == 33)
        started = 0; // TARGET reached
    if (ended == 34)
        started = 0; // TARGET unreachable
}

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    if (!started)
        return 1; // TARGET unreachable
    if (x < 34)
        ended = x;
    return 0;
}
