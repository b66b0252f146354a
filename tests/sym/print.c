// printf of symbolic values: the output is discarded, but the C library has to
// format it. Five classes of numbers by their digits (0, 1 to 9, 10 to 15, 16 to 99,
// more), and a string that is empty or not; the end of a line does not fork.
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
