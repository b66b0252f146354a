// Three odd numbers are never the sides of a right triangle.
// input: 2
#include <byway.h>

int main(void)
{
    unsigned char ab, rest;
    byway_make_symbolic(&ab, sizeof ab, "ab");
    byway_make_symbolic(&rest, sizeof rest, "rest");
    int a = ab & 15, b = ab >> 4, c = rest & 31;
    if (a == 0 || b == 0)
        return 0;
    if (a * a + b * b != c * c)
        return 0;
    if (a & b & c & 1)
        return 1; // TARGET unreachable
    if (c == 13)
        return 2; // TARGET reached
    if (c == 11)
        return 3; // TARGET unreachable
    return 0;
}
