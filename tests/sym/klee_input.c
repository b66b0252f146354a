// klee_make_symbolic of whole objects and parts, klee_int, klee_range, klee_choose.
// paths: 8
// exit-codes: 0 1 2 3 4 5
// faults: reported@37
// inputs: part part_1 unnamed n klee_choose where
#include <klee/klee.h>

int main(void)
{
    char text[4] = "....";
    klee_make_symbolic(text + 1, 2, "part");
    klee_make_symbolic(text + 3, 1, "part");
    if (text[0] != '.')
        return 9;
    char other;
    klee_make_symbolic(&other, 1, 0);
    int n = klee_int("n");
    int where = klee_range(-2, 3, "where");
    if (klee_range(5, 6, "one") != 5)
        return 9;
    uintptr_t way = klee_choose(3);
    if (way == 0) {
        if (text[1] == 'x' && text[3] == other)
            return 1;
        return 0;
    }
    if (way == 1) {
        if (where < -2 || where > 2)
            return 9;
        if (where == 2)
            return 2;
        return 3;
    }
    if (way != 2)
        return 9;
    if (n == 1234567)
        return klee_range(4, 4, "none");
    if (n == 7)
        return 4;
    return 5;
}
