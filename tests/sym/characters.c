// The C library's character classes of a symbolic character.
// paths: 9
// exit-codes: 0 1 2 3 4 6 7 8
#include <byway.h>
#include <ctype.h>

int main(void)
{
    unsigned char c;
    byway_make_symbolic(&c, sizeof c, "c");
    if (isdigit(c))
        return 1;
    if (isupper(c)) {
        if (tolower(c) == 'q')
            return 2;
        return 3;
    }
    if (isalpha(c))
        return 4;
    if (isspace(c))
        return 6;
    if (iscntrl(c))
        return 7;
    if (ispunct(c))
        return 8;
    return 0;
}
