// A local array of symbolic size.
// faults: none
// lost: any
#include <byway.h>

int main(void)
{
    unsigned char n;
    byway_make_symbolic(&n, sizeof n, "n");
    byway_assume((n > 0) & (n <= 6));
    char array[n];
    for (int i = 0; i < n; i++)
        array[i] = (char)i;
    return array[n - 1] == 4 ? 1 : 0;
}
