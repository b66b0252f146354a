// Inputs of one name are numbered in the order in which the path creates them.
// paths: 2
// exit-codes: 0 1
// inputs: a a_1 a_2 b
#include <byway.h>

int main(void)
{
    int a = byway_int("a");
    int again = byway_int("a");
    int b = byway_int("b");
    int third = byway_int("a");
    if (a + again + third == b)
        return 1;
    return 0;
}
