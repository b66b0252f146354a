// printf of what is input: the output is not looked at, but the C library has to
// get through it. Five kinds of numbers by their digits (0, 1 to 9, 10 to 15, 16 to 99,
// more), and a text that is empty or not; whether a line ends is nobody's concern.
// paths: 10
// exit-codes: 0
// faults: none
#include <byway.h>
#include <stdio.h>

int main(void)
{
    unsigned char n;
    char text[2] = "";
    byway_make_symbolic(&n, sizeof n, "n");
    byway_make_symbolic(text, 1, "text");
    printf("%d %x %s %c|%5d\n", n, n, text, text[0], 7);
    putchar(n);
    fwrite(&n, 1, 1, stderr);
    return 0;
}
