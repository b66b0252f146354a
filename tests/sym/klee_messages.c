// Functions that print messages, and functions without effect.
// paths: 2
// exit-codes: 0 1
// faults: none
// lost: warnings
#include <errno.h>
#include <klee/klee.h>

int main(void)
{
    int n = klee_int("n");
    klee_warning("a warning");
    for (int i = 0; i < 3; i++)
        klee_warning_once("once");
    klee_print_expr("the term", n + 1);
    klee_print_expr("a number", 5);
    klee_print_range("the range", n);
    klee_stack_trace();
    klee_mark_global(&n);
    errno = ERANGE;
    if (klee_get_errno() != ERANGE)
        return 9;
    klee_open_merge();
    int result = 0;
    if (n > 3)
        result = 1;
    klee_close_merge();
    return result;
}
