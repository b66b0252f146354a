// Parsing a short decimal number forks for the class of each character (digit, sign, other),
// but not for the value, even with a fraction.
// paths: 4
// exit-codes: 1 2 3 4
#include <byway.h>
#include <stdlib.h>

int main(void)
{
    char text[4] = "0.0";
    char *end;
    byway_make_symbolic(&text[0], 1, "digit");
    byway_assume(('0' <= text[0]) & (text[0] <= '9'));
    int has_fraction;
    byway_make_symbolic(&has_fraction, sizeof has_fraction, "has_fraction");
    if (!has_fraction) text[1] = 0;
    double x = strtod(text, &end);
    if (has_fraction) return end == text + 3 && x == text[0] - '0' ? 4 : 0;
    if (x < 3) return 1;
    if (x < 7) return 2;
    return 3;
}
