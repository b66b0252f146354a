// The same matcher, on a pattern that is input.
// paths: 37
// exit-codes: 0 1
// faults: none
#include <byway.h>

static int match_here(const char *pattern, const char *text);

static int match_star(char c, const char *pattern, const char *text)
{
    do {
        if (match_here(pattern, text))
            return 1;
    } while (*text != 0 && (*text++ == c || c == '.'));
    return 0;
}

static int match_here(const char *pattern, const char *text)
{
    if (pattern[0] == 0)
        return 1;
    if (pattern[1] == '*')
        return match_star(pattern[0], pattern + 2, text);
    if (pattern[0] == '$' && pattern[1] == 0)
        return *text == 0;
    if (*text != 0 && (pattern[0] == '.' || pattern[0] == *text))
        return match_here(pattern + 1, text + 1);
    return 0;
}

int main(void)
{
    char pattern[4];
    byway_make_symbolic(pattern, 3, "pattern");
    pattern[3] = 0;
    return match_here(pattern, "ab");
}
