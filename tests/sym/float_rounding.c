// 0.1 + y is 0.3, yet y is not 0.2.
// paths: 4
// exit-codes: 0 1
// faults: none
#include <byway.h>

int main(void)
{
    double y;
    byway_make_symbolic(&y, sizeof y, "y");
    if (0.1 + y == 0.3) {
        if (y == 0.2)
            return 9;
        return 1;
    }
    float small;
    byway_make_symbolic(&small, sizeof small, "small");
    if (small > 0 && small / 2 == 0) // the least there is
        return 1;
    return 0;
}
