// A 64-bit switch, and one inside it over the values that the first leaves.
// paths: 7
// exit-codes: 0 1 2 3 4 5 6
#include <byway.h>

int main(void)
{
    unsigned long n;
    byway_make_symbolic(&n, sizeof n, "n");
    switch (n) {
    case 0:
        return 1;
    case 0x8000000000000000:
        return 2;
    case 0x0123456789abcdef:
        return 3;
    case 0xffffffffffffffff:
        return 4;
    }
    switch ((unsigned)n) {
    case 0: // some multiple of 2^32, but not zero
        return 5;
    case 1:
        return 6;
    }
    return 0;
}
