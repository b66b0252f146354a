// Lookup of a path of at most two bytes. Spellings of one file are one path:
// the files A and B, the working directory ("." and "./"), its parent (".."), the
// root ("/", "//" and "/."), a name below a file ("A/"), and no file (all others).
// paths: 7
// exit-codes: 1 2 3 4 5 6 7
// inputs: arg00 A-data B-data
// run: --sym-arg 2 --sym-files 2 4
// replay: no
#include <errno.h>
#include <sys/stat.h>

static int is(const char *path, const struct stat *found)
{
    struct stat known;
    return !stat(path, &known) && known.st_ino == found->st_ino;
}

int main(int argc, char **argv)
{
    struct stat found;
    if (argc != 2)
        return 99;
    if (stat(argv[1], &found))
        return errno == ENOTDIR ? 6 : errno == ENOENT ? 7 : 98;
    if (is("A", &found))
        return 1;
    if (is("B", &found))
        return 2;
    if (is(".", &found))
        return 3;
    return is("..", &found) ? 4 : is("/", &found) ? 5 : 97;
}
