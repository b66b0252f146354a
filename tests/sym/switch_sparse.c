// Cases far apart, and negative ones.
// paths: 6
// exit-codes: 0 1 2 3 4 5
#include <byway.h>

int main(void)
{
    switch (byway_int("n")) {
    case -2147483647 - 1:
        return 1;
    case -1:
        return 2;
    case 0:
        return 3;
    case 1000000:
        return 4;
    case 2147483647:
        return 5;
    default:
        return 0;
    }
}
