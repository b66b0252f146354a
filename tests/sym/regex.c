// Kernighan's regular expression matcher on a symbolic text.
// paths: 81
// exit-codes: 0 1
// faults: none
#include <byway.h>
#include "regex.h"

static int match(const char *pattern, const char *text)
{
    if (pattern[0] == '^')
        return match_here(pattern + 1, text);
    do {
        if (match_here(pattern, text))
            return 1;
    } while (*text++ != 0);
    return 0;
}

int main(void)
{
    char text[5];
    byway_make_symbolic(text, 4, "text");
    text[4] = 0;
    return match("ab*c$", text);
}
