// Standard input of two bytes.
// run: --sym-stdin 2
#include <stdio.h>

int main(void)
{
    int first = getchar(), second = getchar(), third = getchar();
    if (first == 'B' && second == 'Y')
        return 1; // TARGET reached
    if (third != EOF)
        return 2; // TARGET unreachable
    if (first == EOF)
        return 3; // TARGET unreachable
    if (first + second == 510)
        return 4; // TARGET reached
    return 0;
}
