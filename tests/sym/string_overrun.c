// An unterminated string: strlen reads past the end of the array.
// paths: 4
// exit-codes: 0 1 2
// faults: out-of-bounds@12
#include <byway.h>
#include <string.h>

int main(void)
{
    char text[3];
    byway_make_symbolic(text, sizeof text, "text");
    return (int)strlen(text);
}
