// Nothing follows a call that ends the program, with or without an attribute that says so.
// input: 1
#include <byway.h>
#include <stdlib.h>

int result;

__attribute__((noinline)) void leave(int code)
{
    if (code > 10)
        exit(10);
    exit(code);
}

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    if (x == 1) {
        exit(0);
        result = 1;
    }
    if (x == 2) {
        leave(x);
        result = 2; // TARGET unreachable
    }
    leave(20); // TARGET reached
    return result; // TARGET unreachable
}
