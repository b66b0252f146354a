// Numbers whose square is 2.25, in both precisions.
// paths: 5
// exit-codes: 0 1 2 3 4
#include <byway.h>

int main(void)
{
    float x;
    double y;
    byway_make_symbolic(&x, sizeof x, "x");
    byway_make_symbolic(&y, sizeof y, "y");
    if (x * x == 2.25f) {
        if (x > 0)
            return 1;
        return 2;
    }
    if (y * y == 2.25) {
        if (y > 0)
            return 3;
        return 4;
    }
    return 0;
}
