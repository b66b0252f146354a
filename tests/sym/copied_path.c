// A path is copied from a symbolic argument into a larger buffer. The byte that ends it is copied
// before it is compared with zero, so it is a term in memory; the bytes behind it are not set, and
// looking up the path reads none of them.
// exit-codes: 0 1
// run: --sym-arg 2
// replay: no
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int main(int argc, char **argv)
{
    struct stat status;
    char *path = malloc(23);

    if (argc != 2 || !path)
        return 2;
    path[0] = '\0';
    strcat(path, argv[1]);
    return stat(path, &status) == 0;
}
