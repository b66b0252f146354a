// longjmp with a symbolic value, of which zero becomes one: the value stays symbolic.
// paths: 3
// exit-codes: 1 2 5
#include <byway.h>
#include <setjmp.h>

int main(void)
{
    jmp_buf buffer;
    int value;
    byway_make_symbolic(&value, sizeof value, "value");
    int result = setjmp(buffer);
    if (result == 0)
        longjmp(buffer, value);
    if (result == 5)
        return 5;
    if (result == 1)
        return 1;
    return 2;
}
