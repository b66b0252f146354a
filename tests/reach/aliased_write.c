// A write through a symbolic index may change what is read next.
// input: 2
#include <byway.h>

int main(void)
{
    unsigned char i, x;
    byway_make_symbolic(&i, sizeof i, "i");
    byway_make_symbolic(&x, sizeof x, "x");
    int cells[4] = {1, 2, 3, 4};
    cells[i % 4] = x;
    if (cells[2] == 77)
        return 1; // TARGET reached
    int changed = (cells[0] != 1) + (cells[1] != 2) + (cells[2] != 3) + (cells[3] != 4);
    if (changed > 1)
        return 2; // TARGET unreachable
    if (changed == 0 && x > 4)
        return 3; // TARGET unreachable
    return 0;
}
