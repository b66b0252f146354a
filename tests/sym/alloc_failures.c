// Each of three allocations may fail, at most two on a path: 1 + 3 + 3 ways, and errno says why.
// paths: 7
// exit-codes: 0 1 2 4 3 5 6
// inputs: alloc_fail
// run: --alloc-failures 2
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int failed = 0;
    void *aligned = NULL;
    char *one = malloc(8);
    if (!one)
        failed += errno == ENOMEM ? 1 : 100;
    errno = 0;
    char *two = strdup("text");
    if (!two)
        failed += errno == ENOMEM ? 2 : 100;
    if (posix_memalign(&aligned, 64, 10) == ENOMEM)
        failed += 4;
    free(one);
    free(two);
    free(aligned);
    return failed;
}
