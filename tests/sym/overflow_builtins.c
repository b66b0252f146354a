// Arithmetic builtins that report overflow.
// paths: 6
// exit-codes: 0 1 2 3 4 5
#include <byway.h>

int main(void)
{
    int a = byway_int("a"), b = byway_int("b"), result;
    unsigned char narrow;
    if (__builtin_add_overflow(a, b, &result))
        return 1;
    if (result != a + b)
        return 9;
    if (__builtin_sub_overflow(a, b, &result))
        return 2;
    if (__builtin_mul_overflow(a, b, &result))
        return 3;
    if (result == 77)
        return 4;
    if (__builtin_add_overflow(a, 1, &narrow))
        return 5;
    return narrow != (unsigned char)(a + 1) ? 9 : 0;
}
