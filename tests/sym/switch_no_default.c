// The feasible cases cover all values: the default is not a path.
// paths: 4
// exit-codes: 1 2 3 4
#include <byway.h>

int main(void)
{
    unsigned char c;
    byway_make_symbolic(&c, sizeof c, "c");
    switch (c & 3) {
    case 0:
        return 1;
    case 1:
        return 2;
    case 2:
        return 3;
    case 3:
        return 4;
    case 4:
        return 5;
    default:
        return 6;
    }
}
