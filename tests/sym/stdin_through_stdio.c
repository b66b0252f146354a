// Standard input by getchar: the end, a line end, or something else, three times. Only
// the first byte matters once it is a line end.
// paths: 4
// exit-codes: 0 1 2 3
// inputs: stdin
// run: --sym-stdin 3
// replay: no
#include <stdio.h>

int main(void)
{
    int count = 0, c;
    while ((c = getchar()) != EOF && c != '\n')
        count++;
    return count;
}
