/*
 * A function with many paths of which one matters: figure 3 in "Directed symbolic execution" (Ma et
 * al., 2011). A search from main enters examine() with m == 0 and stays in its endless loop; a
 * search from examine() finds the path at once, and then only m has to fit.
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
        if (sum == 0 && m == 7)
            assert(0);
}

int main(void)
{
    int m, n, i;
    klee_make_symbolic(&m, sizeof m, "m");
    klee_make_symbolic(&n, sizeof n, "n");
    for (i = 0; i < 1000; i++)
        if (m == i)
            examine(m, n);
    return 0;
}
