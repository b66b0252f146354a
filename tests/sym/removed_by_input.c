// Removing, renaming and linking by a symbolic name of one byte: A exists, and so do the
// two directories; any other name does not exist.
// paths: 6
// exit-codes: 1 2 3 4 5
// run: --sym-arg 1 --sym-files 1 1
// replay: no
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc != 2)
        return 99;
    if (!link(argv[1], "copy")) {
        // The name must be A, since link succeeded.
        if (rename(argv[1], "moved") || access("A", F_OK) == 0)
            return 98;
        // Now it does not exist any more.
        if (unlink(argv[1]) != -1 || errno != ENOENT || unlink("moved") || unlink("copy"))
            return 97;
        return 1;
    }
    // "." and "/" are directories, and "" is not a name.
    if (errno == EPERM)
        return 2;
    if (errno != ENOENT)
        return 96;
    if (rename("A", argv[1]))
        return errno == ENOENT ? 3 : 95;
    // The file now has the symbolic name.
    if (access(argv[1], F_OK) || access("A", F_OK) != -1)
        return 94;
    return access("z", F_OK) == 0 ? 4 : 5;
}
