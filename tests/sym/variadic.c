// Variadic arguments of symbolic number and values.
// paths: 5
// exit-codes: 0 1
#include <byway.h>
#include <stdarg.h>

static long sum(int count, ...)
{
    long result = 0;
    va_list arguments;
    va_start(arguments, count);
    while (count-- > 0)
        result += va_arg(arguments, int);
    va_end(arguments);
    return result;
}

int main(void)
{
    unsigned char count;
    signed char a, b;
    byway_make_symbolic(&count, sizeof count, "count");
    byway_make_symbolic(&a, sizeof a, "a");
    byway_make_symbolic(&b, sizeof b, "b");
    byway_assume(count <= 2);
    if (sum(count, a, b) == -7)
        return 1;
    return 0;
}
