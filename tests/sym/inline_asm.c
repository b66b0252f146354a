// Assembly on symbolic values: the lowest bit, a carry, and the upper half of a product.
// paths: 4
// exit-codes: 1 2 3 4
#include <byway.h>

static unsigned long lowest(unsigned long x)
{
    unsigned long n;
    __asm__("bsfq %1, %0" : "=r"(n) : "r"(x) : "cc");
    return n;
}

int main(void)
{
    unsigned long x, y;
    byway_make_symbolic(&x, sizeof x, "x");
    byway_make_symbolic(&y, sizeof y, "y");
    byway_assume(x != 0);
    if (lowest(x) == 40)
        return 1;
    unsigned long low = x, high = 0;
    __asm__("addq %2, %0; adcq $0, %1" : "+r"(low), "+r"(high) : "r"(y) : "cc");
    if (high)
        return 2;
    __asm__("mulq %2" : "=a"(low), "=d"(high) : "r"(y), "0"(2UL) : "cc");
    if (high)
        return 3;
    return 4;
}
