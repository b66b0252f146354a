// longjmp into a function that has returned.
#include <setjmp.h>

static jmp_buf where;
static int prepare(void) { return setjmp(where); }

int main(void) {
    if (prepare() == 0)
        longjmp(where, 1); // FAULT bad-jump
    return 0;
}
