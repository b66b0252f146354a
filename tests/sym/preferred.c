// A preference decides between equal tests, and excludes nothing.
// paths: 2
// exit-codes: 65 200
#include <klee/klee.h>

int main(void)
{
    unsigned char c;
    klee_make_symbolic(&c, sizeof c, "c");
    klee_prefer_cex(&c, c == 'A');
    klee_posix_prefer_cex(&c, c != 7);
    if (c >= 200) {
        klee_prefer_cex(&c, c == 200);
        return c;
    }
    return c;
}
