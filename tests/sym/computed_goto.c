// A computed goto through a table of labels.
// paths: 3
// exit-codes: 1 2 3
#include <byway.h>

int main(void)
{
    static void *const label[] = {&&first, &&second, &&third};
    unsigned char i;
    byway_make_symbolic(&i, sizeof i, "i");
    byway_assume(i < 3);
    goto *label[i];
first:
    return 1;
second:
    return 2;
third:
    return 3;
}
