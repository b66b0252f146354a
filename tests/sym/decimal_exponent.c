// A decimal number with a large exponent forks by its characters instead of within
// multi-precision arithmetic: one path for the powers up to 22, which are exact, one for each
// from 23 to 99, and one for the powers from 900 on, which are all infinite.
// paths: 79
// exit-codes: 0 1 2 3
#include <byway.h>
#include <errno.h>
#include <stdlib.h>

int main(void)
{
    char text[] = "1e000", *end;
    int is_huge = byway_range(0, 2, "is_huge");
    char *digits = is_huge ? text + 3 : text + 2;
    byway_make_symbolic(digits, 2, "digits");
    byway_assume(('0' <= digits[0]) & (digits[0] <= '9'));
    byway_assume(('0' <= digits[1]) & (digits[1] <= '9'));
    text[2] = is_huge ? '9' : text[2];
    text[4] = is_huge ? text[4] : 0;
    double x = strtod(text, &end);
    if (is_huge) return errno == ERANGE && x > 1e308 && end == text + 5 ? 3 : 4;
    if (x == 1e23) return 2;
    return x > 1e22 ? 1 : 0;
}
