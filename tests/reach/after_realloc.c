// A block that grows keeps its contents.
// input: 2
#include <byway.h>
#include <stdlib.h>

int main(void)
{
    unsigned char x, n;
    byway_make_symbolic(&x, sizeof x, "x");
    byway_make_symbolic(&n, sizeof n, "n");
    unsigned char *block = malloc(1);
    block[0] = x;
    for (int i = 1; i <= n % 4; i++) {
        block = realloc(block, i + 1);
        block[i] = block[i - 1] + 1;
    }
    unsigned char last = block[n % 4], kept = block[0];
    free(block);
    if (kept != x)
        return 1; // TARGET unreachable
    if (last == 2 && x == 255)
        return 2; // TARGET reached
    if ((unsigned char)(last - x) > 3)
        return 3; // TARGET unreachable
    return 0;
}
