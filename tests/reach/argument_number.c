// An argument read as a number.
// run: --sym-arg 2
// bytes: -0123456789
#include <stdlib.h>

int main(int argc, char **argv)
{
    int number = atoi(argv[1]);
    if (number == 42)
        return 1; // TARGET reached
    if (number > 99)
        return 2; // TARGET unreachable
    if (number < 0 && argv[1][0] != '-')
        return 3; // TARGET unreachable
    if (number == -7)
        return 4; // TARGET reached
    return 0;
}
