// Whether a string of five bytes is a palindrome.
// paths: 3
// exit-codes: 0 1
#include <byway.h>

int main(void)
{
    char text[5];
    byway_make_symbolic(text, sizeof text, "text");
    for (int i = 0, j = 4; i < j; i++, j--)
        if (text[i] != text[j])
            return 0;
    return 1;
}
