// setjmp and longjmp with symbolic values.
// paths: 4
// exit-codes: 0 1 2 3
#include <byway.h>
#include <setjmp.h>

static jmp_buf back;

static void deep(int depth, unsigned char c)
{
    if (depth == 0) {
        if (c > 200)
            longjmp(back, 2);
        if (c > 100)
            longjmp(back, 1);
        return;
    }
    deep(depth - 1, c);
}

int main(void)
{
    unsigned char c, d;
    volatile int rounds = 0;
    byway_make_symbolic(&c, sizeof c, "c");
    byway_make_symbolic(&d, sizeof d, "d");
    int how = setjmp(back);
    if (how != 0)
        return how;
    rounds++;
    deep(3, c);
    if (d == 9 && rounds == 1)
        return 3;
    return 0;
}
