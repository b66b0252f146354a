// strlen of the C library: one path per length.
// paths: 5
// exit-codes: 0 1 2 3 4
// faults: none
#include <byway.h>
#include <string.h>

int main(void)
{
    char text[5];
    byway_make_symbolic(text, 4, "text");
    text[4] = 0;
    return (int)strlen(text);
}
