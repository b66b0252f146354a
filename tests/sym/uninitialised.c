// A variable that is uninitialised for some inputs only.
// paths: 3
// exit-codes: 1 2
// faults: uninitialised-read@21
#include <byway.h>

static int read(const int *at)
{
    return *at;
}

int main(void)
{
    int value[1];
    unsigned char c;
    byway_make_symbolic(&c, sizeof c, "c");
    if (c > 100)
        value[0] = 1;
    else if (c != 50)
        value[0] = 2;
    return read(value);
}
