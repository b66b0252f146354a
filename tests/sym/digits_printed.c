// Printing a number with its maximal number of digits does not fork: the output has one
// length, and every digit is a term of the number.
// paths: 3
// exit-codes: 1 2 3
#include <byway.h>
#include <stdio.h>

int main(void)
{
    unsigned short n;
    char octal[16], hexadecimal[16];
    byway_make_symbolic(&n, sizeof n, "n");
    int length = snprintf(octal, sizeof octal, "%.6o", n);
    length += snprintf(hexadecimal, sizeof hexadecimal, "%.4x", n);
    if (length != 10) return 0;
    if ((octal[0] == '1') & (octal[5] == '7')) return 1;
    if (hexadecimal[0] == '7') return 2;
    return 3;
}
