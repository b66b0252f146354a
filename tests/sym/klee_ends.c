// Every function of klee/klee.h that ends a path.
// paths: 5
// exit-codes: 0
// faults: abort@16, reported@18, assert@23, reported@26
// excluded: 2
#include <klee/klee.h>

int main(void)
{
    unsigned char c;
    klee_make_symbolic(&c, sizeof c, "c");
    switch (c) {
    case 0:
        klee_silent_exit(3);
    case 1:
        klee_abort();
    case 2:
        klee_report_error("elsewhere.c", 4711, "found", "user");
    case 3:
        klee_assume(c > 3);
        return 1;
    case 4:
        klee_assert(c < 4);
        return 2;
    case 5:
        klee_report_error(__FILE__, __LINE__, "also found", "user");
    }
    return 0;
}
