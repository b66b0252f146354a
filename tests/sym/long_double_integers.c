// Long doubles with integer values stay symbolic by default: parsed from digits as by a C
// library, with a sign chosen without a branch.
// paths: 4
// faults: none
#include <byway.h>

int main(void)
{
    unsigned char text[4];
    byway_make_symbolic(text, sizeof text, "text");
    long double value = 0;
    for (int i = 1; i < 4; i++) {
        byway_assume((text[i] >= '0') & (text[i] <= '9'));
        value = value * 10 + (text[i] - '0');
    }
    int sign = 1;
    sign -= 2 * (text[0] == '-');
    value = sign * value;
    if (value == -123)
        return 1;
    if (value > 900.5L)
        return 2;
    if ((int)value == 77)
        return 3;
    return 4;
}
