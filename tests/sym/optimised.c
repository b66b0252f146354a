// Optimised code with a table and bit tricks has no branches left.
// paths: 1
// faults: none
// run: -O2
#include <byway.h>

__attribute__((noinline)) static int classify(unsigned char c)
{
    switch (c) {
    case 'a':
    case 'e':
    case 'i':
    case 'o':
    case 'u':
        return 1;
    }
    return c >= 'a' && c <= 'z' ? 2 : 0;
}

int main(void)
{
    unsigned char b[2];
    byway_make_symbolic(b, sizeof b, "b");
    int first = classify(b[0]), second = classify(b[1]);
    return first == second ? first : 0;
}
