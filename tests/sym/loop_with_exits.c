// A loop with three exits.
// paths: 12
#include <byway.h>

int main(void)
{
    unsigned char b[3];
    int n = 0;
    byway_make_symbolic(b, sizeof b, "b");
    for (int i = 0; i < 3; i++) {
        if (b[i] == 0)
            break;
        if (b[i] == 7)
            return 100;
        if (i > 0 && b[i] == b[i - 1])
            continue;
        n++;
    }
    return n;
}
