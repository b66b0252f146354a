// No cube is the sum of two cubes.
// input: 2
#include <byway.h>

static int cube(int x) { return x * x * x; }

int main(void)
{
    unsigned char ab, c;
    byway_make_symbolic(&ab, sizeof ab, "ab");
    byway_make_symbolic(&c, sizeof c, "c");
    int a = ab & 15, b = ab >> 4;
    if (a == 0 || b == 0 || c > 15)
        return 0;
    if (cube(a) + cube(b) == cube(c))
        return 1; // TARGET unreachable
    if (cube(a) + cube(b) == cube(c) + 1 && a > 1 && b > 1)
        return 2; // TARGET reached
    return 0;
}
