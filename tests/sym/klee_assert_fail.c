// The function that some versions of klee.h call for a failed assertion.
// paths: 2
// exit-codes: 0
// faults: assert@13
#include <klee/klee.h>

void klee_assert_fail(const char *expression, const char *file, unsigned line, const char *function);

int main(void)
{
    int n = klee_int("n");
    if (n == 7)
        klee_assert_fail("n != 7", __FILE__, __LINE__, __func__);
    return 0;
}
