// A loop that branches on each byte: the number of paths multiplies.
// paths: 27
// exit-codes: 0 1 2 3
#include <byway.h>

int main(void)
{
    char text[3];
    int digits = 0;
    byway_make_symbolic(text, sizeof text, "text");
    for (int i = 0; i < 3; i++) {
        if (text[i] < '0')
            continue;
        if (text[i] <= '9')
            digits++;
    }
    return digits;
}
