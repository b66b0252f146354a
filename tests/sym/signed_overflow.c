// Overflow of signed addition, multiplication and negation, with the check enabled.
// paths: 4
// exit-codes: 0
// faults: signed-overflow@11, signed-overflow@12, signed-overflow@13
// checks: signed-overflow
#include <byway.h>

int main(void)
{
    int a = byway_int("a"), b = byway_int("b");
    int sum = a + 1;
    int product = b * 3;
    int opposite = -a;
    return (sum == product) & (opposite == 5) & (sum == 0);
}
