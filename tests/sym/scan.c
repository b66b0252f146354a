// sscanf of the C library on three symbolic bytes.
// exit-codes: 0 1 2
// faults: none
#include <byway.h>
#include <stdio.h>

int main(void)
{
    char text[4];
    int a = 0, b = 0;
    byway_make_symbolic(text, 3, "text");
    text[3] = 0;
    byway_assume((text[0] >= '0') & (text[0] <= '9') & (text[2] >= '0') & (text[2] <= '9'));
    int found = sscanf(text, "%d:%d", &a, &b);
    if (found == 2 && a == 7 && b == 3)
        return 1;
    if (found == 1 && a == 345)
        return 2;
    return 0;
}
