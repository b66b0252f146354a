// A table of functions: the last one has its address taken, and no index leads to it.
// input: 1
// target: third unreachable
#include <byway.h>

int zero(int x) { return x; } // TARGET reached
int first(int x) { return x + 1; } // TARGET reached
int second(int x)
{
    if (x == 201)
        return 7; // TARGET unreachable
    return x + 2; // TARGET reached
}
int third(int x) { return x + 3; } // TARGET unreachable

int (*const table[])(int) = {zero, first, second, third};

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    return table[x % 3](x) > 250;
}
