// Each retry jumps back; there are three at most.
// input: 1
#include <byway.h>
#include <setjmp.h>

static jmp_buf again;

static void attempt(int x, int count)
{
    if (count < (x & 3))
        longjmp(again, count + 1);
}

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    int count = setjmp(again);
    if (count == 3)
        x = 3; // TARGET reached
    if (count == 4)
        return 4; // TARGET unreachable
    attempt(x, count);
    return 0; // TARGET reached
}
