// strtol detects the base: the exit codes are those of a few texts.
// exit-codes: 0 1 2 3
// faults: none
#include <byway.h>
#include <stdlib.h>

int main(void)
{
    char text[4], *end;
    byway_make_symbolic(text, 3, "text");
    text[3] = 0;
    byway_assume((text[0] == '0') | (text[0] == '1'));
    long number = strtol(text, &end, 0);
    if (number == 15 && *end == 0) {
        if (text[1] == 'x')
            return 1;
        return 2;
    }
    if (number == 0 && end == text + 1 && text[1] == 'x')
        return 3;
    return 0;
}
