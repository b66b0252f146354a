// A dense switch: cases that share a label are one path, fall-through does not merge
// paths, and the default is one more.
// paths: 6
// exit-codes: 1 3 7 8 20 99
#include <byway.h>

int main(void)
{
    unsigned char c;
    int n = 0;
    byway_make_symbolic(&c, sizeof c, "c");
    switch (c) {
    case 0:
    case 1:
    case 2:
        return 1;
    case 3:
        n += 4;
        __attribute__((fallthrough));
    case 4:
        n += 3;
        break;
    case 5:
        return 8;
    case 6:
    case 200:
        return 20;
    default:
        return 99;
    }
    return n;
}
