// Square roots of negative numbers and NaN; exact and rounded roots.
// paths: 5
// exit-codes: 1 2 3 4 5
#include <byway.h>
#include <math.h>

int main(void)
{
    float x;
    byway_make_symbolic(&x, sizeof x, "x");
    float root = sqrtf(x);
    if (root != root) {
        if (x < 0)
            return 1;
        return 2;
    }
    if (root == 3.0f)
        return 3;
    if (root * root != x)
        return 4;
    return 5;
}
