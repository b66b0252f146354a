// With forking disabled, a branch follows one side; the other is counted as dropped.
// exits: 3
// faults: none
// lost: dropped
#include <klee/klee.h>

int main(void)
{
    unsigned char a, b;
    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(&b, sizeof b, "b");
    int n = 0;
    klee_set_forking(0);
    if (a > 5)
        n = 1;
    klee_set_forking(1);
    if (b > 10)
        return b > 20 ? n : 2 + n;
    return 4 + n;
}
