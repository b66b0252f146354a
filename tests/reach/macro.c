// Code that comes from a macro has the line where the macro is used.
// input: 1
#include <byway.h>

int result;

#define SET_IF(condition, value) \
    do {                         \
        if (condition)           \
            result = (value);    \
    } while (0)

#define FAIL(code) return code

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    SET_IF(x > 9, 1);
    if (result && x < 10)
        FAIL(1); // TARGET unreachable
    if (result && x == 10)
        FAIL(2); // TARGET reached
    return 0;
}
