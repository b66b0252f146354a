// A symbolic exit code: one path per exit statement, not per code.
// paths: 3
// exits: 3
#include <byway.h>
#include <stdlib.h>

static void last(void)
{
    exit(9);
}

int main(void)
{
    unsigned char c;
    byway_make_symbolic(&c, sizeof c, "c");
    if (c > 200)
        exit(c);
    if (c > 100)
        _Exit(c);
    atexit(last);
    return c;
}
