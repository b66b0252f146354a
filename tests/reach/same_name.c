// Two files have a static function of the same name.
// input: 1
// sources: same_name/other.c
#include <byway.h>

int other(int x);

static int check(int x)
{
    if (x > 255)
        return 1; // TARGET unreachable
    return x == 12; // TARGET reached
}

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    if (check(x))
        return other(x);
    return 0;
}
