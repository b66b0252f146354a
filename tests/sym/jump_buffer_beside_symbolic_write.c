// A jump buffer in an object that is written at a symbolic offset: its words are terms, but have one
// value each.
// paths: 2
// exit-codes: 0 1
// faults: none
#include <byway.h>
#include <setjmp.h>

static struct {
    char text[8];
    jmp_buf jump;
} all;

int main(void)
{
    unsigned char i;
    byway_make_symbolic(&i, sizeof i, "i");
    byway_assume(i < sizeof all.text);
    if (setjmp(all.jump)) {
        if (all.text[3])
            return 1;
        return 0;
    }
    all.text[i] = 1;
    longjmp(all.jump, 1);
}
