// Nested branches, some with only one feasible side.
// paths: 6
// exit-codes: 0 1 2 3 4 5
#include <byway.h>

int main(void)
{
    unsigned char a, b;
    byway_make_symbolic(&a, sizeof a, "a");
    byway_make_symbolic(&b, sizeof b, "b");
    if (a > 10) {
        if (b > a) {
            if (b > 12)
                return 3;
            return 5;
        }
        if (b > 254) // then a is 255, because b is not greater
            return 2;
        return 1;
    }
    if (a == b)
        return 4;
    return 0;
}
