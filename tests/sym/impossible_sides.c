// Conditions that repeat or contradict earlier ones do not fork.
// paths: 3
// exit-codes: 1 2 3
#include <byway.h>

int main(void)
{
    unsigned char a, b;
    byway_make_symbolic(&a, sizeof a, "a");
    byway_make_symbolic(&b, sizeof b, "b");
    if (a < 10) {
        if (a > 20)
            return 9;
        if (!(a < 10))
            return 9;
        if ((a & 0xf0) != 0)
            return 9;
        return 1;
    }
    if (a * 2 == b * 2 + 1)
        return 9;
    if (a == b) {
        if (b < 10)
            return 9;
        return 2;
    }
    return 3;
}
