// A copy from a symbolic offset of an array of 64 KB, and text found at it.
// paths: 2
// exit-codes: 1 2
#include <byway.h>
#include <string.h>

static char array[1 << 16];

int main(void)
{
    char text[4];
    unsigned short i;
    byway_make_symbolic(&i, sizeof i, "i");
    byway_assume(i < sizeof array - 4);
    memcpy(array + 40000, "abcd", 4);
    memcpy(text, array + i, 4);
    if (memcmp(text, "abcd", 4) == 0)
        return i == 40000 ? 1 : 3;
    return 2;
}
