// free and realloc of symbolic arguments and variables, and of the list of arguments: the
// program did not allocate them.
// paths: 5
// faults: invalid-free@16, invalid-free@18, invalid-free@20, invalid-free@22
// exit-codes: 0
// run: --sym-arg 1 --sym-arg 2 --sym-env NAME 1
#include <byway.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    unsigned char which;
    byway_make_symbolic(&which, sizeof which, "which");
    (void)argc;
    if (which == 1)
        free(argv[1]);
    else if (which == 2)
        free(argv);
    else if (which == 3)
        argv[2] = realloc(argv[2], 10);
    else if (which == 4)
        free(getenv("NAME"));
    return 0;
}
