// A function that nothing calls, and one that only it calls.
// input: 1
// target: unused unreachable
// target: used_by_unused unreachable
// target: used reached
#include <byway.h>

int result;

void used_by_unused(void)
{
    result = 3; // TARGET unreachable
}

void unused(void)
{
    used_by_unused(); // TARGET unreachable
}

void used(void)
{
    result = 1; // TARGET reached
}

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    if (x == 77)
        used(); // TARGET reached
    return result;
}
