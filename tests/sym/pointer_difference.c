// Arithmetic on pointers into one object.
// paths: 4
// exit-codes: 0 1 2
// faults: out-of-bounds@19
#include <byway.h>

int main(void)
{
    char text[16] = "abcdefghijklmno";
    unsigned char i, j;
    byway_make_symbolic(&i, sizeof i, "i");
    byway_make_symbolic(&j, sizeof j, "j");
    byway_assume((i < 16) & (j < 16));
    const char *p = text + i, *q = text + j;
    if (p - q == 15)
        return *p == 0 ? 1 : 9;
    if (p > q)
        return 2;
    char found = *(p + (q - p) + 8);
    return found == 1;
}
