// The bytes of a number, lowest first.
// input: 2
#include <byway.h>

int main(void)
{
    union {
        unsigned short whole;
        unsigned char parts[2];
    } u;
    byway_make_symbolic(u.parts, sizeof u.parts, "parts");
    if (u.whole != u.parts[0] + 256 * u.parts[1])
        return 1; // TARGET unreachable
    if (u.whole == 0xbeef)
        return 2; // TARGET reached
    if (u.whole % 256 != u.parts[0])
        return 3; // TARGET unreachable
    return 0;
}
