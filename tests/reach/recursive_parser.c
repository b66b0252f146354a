// Balanced brackets: a descent returns where it should.
// input: 3
// bytes: ()x
#include <byway.h>

static const char *text;
static int at;

static int group(void)
{
    if (text[at] != '(')
        return 0;
    at++;
    while (group())
        ;
    if (text[at] != ')')
        return 0; // TARGET reached
    at++;
    return 1; // TARGET reached
}

int main(void)
{
    char input[4] = {0};
    byway_make_symbolic(input, 3, "input");
    text = input;
    int ok = group();
    if (ok && at == 3)
        return 1; // TARGET unreachable
    if (ok && at == 2)
        return 2; // TARGET reached
    if (at > 3)
        return 3; // TARGET unreachable
    return 0;
}
