// A product of two counters below eight.
// input: 1
#include <byway.h>

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    for (int i = 2; i < 8; i++)
        for (int j = i; j < 8; j++)
            if (i * j == x) {
                if (x == 35)
                    return 1; // TARGET reached
                if (x == 37)
                    return 2; // TARGET unreachable
            }
    if (x == 36)
        return 3; // TARGET reached
    return 0;
}
