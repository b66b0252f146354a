// Bytes copied by memcpy, memmove and memset stay symbolic.
// paths: 5
// exit-codes: 0 1 2 3
#include <byway.h>
#include <string.h>

struct pair {
    unsigned char left, right;
};

int main(void)
{
    unsigned char b[8] = {0};
    byway_make_symbolic(b, 3, "b");
    memmove(b + 2, b, 3); // over each other
    if (b[4] == 'x') {
        memset(b + 4, 'y', 1);
        if (b[4] == 'x')
            return 9;
        return 1;
    }
    struct pair one = {b[2], b[3]}, two;
    two = one;
    memcpy(&one, &b[3], sizeof one);
    if (two.right != one.left)
        return 9;
    if (two.left == 5)
        return 2;
    if (memcmp(&two, "\x07\x08", 2) == 0)
        return 3;
    return 0;
}
