// A function inlined into two callers: a line is reached if one of them reaches it.
// input: 1
#include <byway.h>

static inline __attribute__((always_inline)) int clamp(int x, int limit)
{
    if (x > limit)
        return limit; // TARGET reached
    if (x < 0)
        return 0; // TARGET unreachable
    return x;
}

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    if (clamp(x, 1000) == 1000)
        return 1; // TARGET unreachable
    if (clamp(x, 100) == 100 && x > 200)
        return 2; // TARGET reached
    return 0;
}
