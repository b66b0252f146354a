// A path that begins with a concrete directory, followed by a symbolic byte: a directory
// in it, a file in it, itself (by ".", by another slash, or by nothing: one case for the
// file system, which the program then splits), or a name that does not exist.
// paths: 6
// exit-codes: 1 2 3 4 5 6
// run: --sym-arg 1
// replay: no
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char path[8] = "d/";
    struct stat found;

    if (argc != 2 || mkdir("d", 0700) || mkdir("d/e", 0700) || close(creat("d/f", 0600)))
        return 99;
    path[2] = argv[1][0];
    path[3] = 0;
    if (stat(path, &found))
        return errno == ENOENT ? 1 : 98;
    if (S_ISREG(found.st_mode))
        return path[2] == 'f' ? 2 : 97;
    struct stat directory;
    stat("d", &directory);
    if (found.st_ino != directory.st_ino)
        return path[2] == 'e' ? 3 : 96;
    return path[2] == '.' ? 4 : path[2] == '/' ? 5 : path[2] == 0 ? 6 : 95;
}
