// Figure 4 of "Dependence guided symbolic execution": N branches that nothing connects. There are
// 2^N paths, and N + 1 of them show every symbolic value. -DN=12 for another number than 4.
// paths: 16
// exits: 16
// faults: none
#include <byway.h>

#ifndef N
#define N 4
#endif

/* The branch number n, if there are so many. */
#define BRANCH(n)                                                                                  \
    if (n < N) {                                                                                   \
        if (in[n] > 0)                                                                             \
            out[n] = 1;                                                                            \
        else                                                                                       \
            out[n] = 2;                                                                            \
    }

#if N > 16
#error "at most 16 branches"
#endif

static signed char in[16];
static int out[16];

int main(void)
{
    byway_make_symbolic(in, N, "in");
    BRANCH(0)
    BRANCH(1)
    BRANCH(2)
    BRANCH(3)
    BRANCH(4)
    BRANCH(5)
    BRANCH(6)
    BRANCH(7)
    BRANCH(8)
    BRANCH(9)
    BRANCH(10)
    BRANCH(11)
    BRANCH(12)
    BRANCH(13)
    BRANCH(14)
    BRANCH(15)
    return 0;
}
