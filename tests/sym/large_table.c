// An assumption on an entry of a table of 8 KB finds its index.
// paths: 1
// exit-codes: 7
#include <byway.h>

static unsigned table[2048];

int main(void)
{
    for (unsigned i = 0; i < 2048; i++)
        table[i] = i * 2654435761u;
    unsigned i;
    byway_make_symbolic(&i, sizeof i, "i");
    byway_assume(i < 2048);
    byway_assume(table[i] == 1777 * 2654435761u);
    return i == 1777 ? 7 : 1;
}
