// A table read at a symbolic index that is always in bounds.
// paths: 3
// exit-codes: 0 1 2
// faults: none
#include <byway.h>

static const unsigned short squares[16] = {0,  1,  4,  9,   16,  25,  36,  49,
                                           64, 81, 100, 121, 144, 169, 196, 225};

int main(void)
{
    unsigned char i;
    byway_make_symbolic(&i, sizeof i, "i");
    unsigned short square = squares[i & 15];
    if (square == 169)
        return 1;
    if (square == 170) // not in the table
        return 3;
    if (square > 169)
        return 2;
    return 0;
}
