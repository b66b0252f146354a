// Removing, renaming and linking by a name of one byte that depends on input: A is there,
// and so are the two directories; whatever else the name is, it is not there.
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
        // A it was, or it could not have been linked.
        if (rename(argv[1], "moved") || access("A", F_OK) == 0)
            return 98;
        // Now it is not there any more.
        if (unlink(argv[1]) != -1 || errno != ENOENT || unlink("moved") || unlink("copy"))
            return 97;
        return 1;
    }
    // "." and "/" are directories, and "" is nothing.
    if (errno == EPERM)
        return 2;
    if (errno != ENOENT)
        return 96;
    if (rename("A", argv[1]))
        return errno == ENOENT ? 3 : 95;
    // It has the name now, whatever that is.
    if (access(argv[1], F_OK) || access("A", F_OK) != -1)
        return 94;
    return access("z", F_OK) == 0 ? 4 : 5;
}
