// A string in a buffer of three bytes is shorter than three.
// input: 3
// bytes: \0az
#include <byway.h>
#include <string.h>

int main(void)
{
    char text[4];
    byway_make_symbolic(text, 3, "text");
    text[3] = 0;
    char copy[4];
    strcpy(copy, text);
    if (strlen(copy) > 3)
        return 1; // TARGET unreachable
    if (strcmp(copy, text) != 0)
        return 2; // TARGET unreachable
    if (strlen(copy) == 2 && copy[0] == 'z')
        return 3; // TARGET reached
    return 0;
}
