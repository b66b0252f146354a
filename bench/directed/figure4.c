/*
 * As figure3.c, but a search that starts in dispatch() does not know that m is at least 30: figure 4
 * in "Directed symbolic execution" (Ma et al., 2011). A search from main does, and follows the path
 * through examine() that the backward search has found.
 */
#include <assert.h>
#include <klee/klee.h>

static void examine(int m, int n)
{
    int i, bit, sum = 0;
    for (i = 0; i < 6; i++) {
        bit = n % 2;
        if (bit)
            sum += bit + 1;
        n /= 2;
    }
    for (;;)
        if (sum == 0 && m == 37)
            assert(0);
}

static void dispatch(int m, int n)
{
    int i;
    for (i = 0; i < 1000; i++)
        if (m == i)
            examine(m, n);
}

int main(void)
{
    int m, n;
    volatile int i;
    klee_make_symbolic(&m, sizeof m, "m");
    klee_make_symbolic(&n, sizeof n, "n");
    for (i = 0; i < 1000; i++)
        ;
    if (m >= 30)
        dispatch(m, n);
    return 0;
}
