// A jump out of three calls: what follows them is skipped.
// input: 1
#include <byway.h>
#include <setjmp.h>

static jmp_buf out;
int result;

static void inner(int x)
{
    if (x > 100)
        longjmp(out, 2);
    longjmp(out, x == 7 ? 1 : 4);
    result = 1;
}

static void middle(int x)
{
    inner(x);
    result = 2; // TARGET unreachable
}

static void outer(int x)
{
    if (x != 0)
        middle(x);
    result = 3; // TARGET reached
}

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    switch (setjmp(out)) {
    case 0:
        outer(x);
        return 0; // TARGET reached
    case 1:
        return 1; // TARGET reached
    case 2:
        return 2; // TARGET reached
    case 3:
        return 3; // TARGET unreachable
    }
    return 4; // TARGET reached
}
