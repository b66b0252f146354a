// A loop with a symbolic number of iterations, with another loop inside.
// paths: 21
// exits: 21
#include <byway.h>

int main(void)
{
    unsigned char n;
    unsigned sum = 0;
    byway_make_symbolic(&n, sizeof n, "n");
    byway_assume(n <= 20);
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < i; j++)
            sum += j;
    return sum == 1140 ? 1 : 0;
}
