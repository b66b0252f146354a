// The same matcher on a symbolic pattern.
// paths: 37
// exit-codes: 0 1
// faults: none
#include <byway.h>
#include "regex.h"

int main(void)
{
    char pattern[4];
    byway_make_symbolic(pattern, 3, "pattern");
    pattern[3] = 0;
    return match_here(pattern, "ab");
}
