// memcpy with a symbolic length and with a symbolic distance: one path for the lengths and
// distances that overlap, one for those that do not, and none for memmove and equal pointers.
// paths: 4
// faults: overlap@20, overlap@23
// exit-codes: 0
#include <byway.h>
#include <string.h>

int main(void)
{
    static char text[64];
    unsigned char kind, distance;
    byway_make_symbolic(&kind, sizeof kind, "kind");
    byway_make_symbolic(&distance, sizeof distance, "distance");
    byway_assume(distance < 32);
    memmove(text + distance, text, 8);
    memcpy(text + 32, text, 32);
    if (kind & 1) {
        /* Equal or at least 8 apart, or a fault. */
        memcpy(text + distance, text, 8);
    } else {
        /* `distance` bytes from 16 before. */
        memcpy(text + 16, text, distance < 16 ? 1 : 17);
    }
    return 0;
}
