// atoi over three bytes: blanks, a sign, digits.
// paths: 22
#include <byway.h>
#include <stdlib.h>

int main(void)
{
    char text[4];
    byway_make_symbolic(text, 3, "text");
    text[3] = 0;
    return atoi(text) == -42 ? 1 : 0;
}
