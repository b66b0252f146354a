// printf of what is input: the output is not looked at, but the C library has to
// get through it.
// paths: 15
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
