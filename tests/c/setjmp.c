// setjmp and longjmp: return values, nesting, unwinding through many frames, error recovery in a loop.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf outer, inner;
static int depth;

__attribute__((noinline, noreturn)) static void fail(int code) { longjmp(outer, code); }
__attribute__((noinline)) static int dive(int n) {
    char frame[64];
    frame[n % 64] = (char)n;
    depth++;
    if (n == 0)
        fail(42);
    return dive(n - 1) + frame[n % 64];
}
__attribute__((noinline)) static int attempt(int n) {
    volatile int progress = 0;
    int code = setjmp(inner);
    if (code == 0) {
        progress = 1;
        if (n % 3 == 0)
            longjmp(inner, n + 1);
        progress = 2;
        if (n % 5 == 0)
            longjmp(inner, 0); // arrives as 1
        progress = 3;
    }
    return code * 10 + progress;
}
__attribute__((noinline)) static int nested(void) {
    jmp_buf local;
    volatile int n = 0;
    int v = setjmp(local);
    n++;
    if (v < 3)
        longjmp(local, v + 1);
    return n * 100 + v;
}

int main(void) {
    int code = setjmp(outer);
    if (code == 0)
        dive(50);
    printf("%d %d\n", code, depth);
    for (int i = 1; i < 16; i++)
        printf("%d ", attempt(i));
    printf("\n%d\n", nested());
    switch (setjmp(outer)) {
    case 0: fail(7);
    case 7: printf("seven\n"); break;
    default: printf("what?\n");
    }
    sigjmp_buf s;
    if (sigsetjmp(s, 1) == 0)
        siglongjmp(s, 3);
    volatile int i = 0;
    if (_setjmp(outer) < 4)
        _longjmp(outer, ++i);
    printf("%d\n", i);
    return 0;
}
