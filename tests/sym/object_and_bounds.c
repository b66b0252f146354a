// Which object a pointer means and whether it is in bounds there can be the same
// question: the one answer must serve both.
// paths: 5
// exits: 5
// run: -O2
#include <byway.h>

unsigned char table[16];

__attribute__((noinline)) static void set(unsigned char *at, int by) { *at = 107 >> (by & 31); }
__attribute__((noinline)) static void clear(unsigned char *at) { *at = 0; }

int main(void)
{
    unsigned char x, pair[2] = {32, 196};
    byway_make_symbolic(&x, sizeof x, "x");
    if ((x & 7) == 3 || (x & 7) == 4)
        clear(pair);
    if (x % 6 == 0)
        set(x ? &pair[1] : &table[3], x);
    return pair[1] + table[3];
}
