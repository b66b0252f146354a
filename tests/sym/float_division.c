// Results of a division: NaN, three cases of infinity, a tenth, any other number.
// paths: 7
// exit-codes: 0 1 2 3 4 5
#include <byway.h>
#include <math.h>

int main(void)
{
    float a, b;
    byway_make_symbolic(&a, sizeof a, "a");
    byway_make_symbolic(&b, sizeof b, "b");
    float quotient = a / b;
    if (quotient != quotient)
        return 1;
    if (quotient == INFINITY) {
        if (b == 0)
            return 2;
        if (a == INFINITY || a == -INFINITY)
            return 3;
        return 4; // it overflows
    }
    if (quotient == 0.1f)
        return 5;
    return 0;
}
