// A path that depends on input forks for what it can mean: for each thing that is there, and
// for nothing. Names that are not there are one path, whatever they are.
// paths: 5
// exit-codes: 0 1 2 3
// replay: no
#include <byway.h>
#include <errno.h>
#include <sys/stat.h>

int main(void)
{
    char path[] = "d/?";
    struct stat found;
    mkdir("d", 0700);
    mkdir("d/e", 0700);
    byway_make_symbolic(&path[2], 1, "letter");
    if (stat(path, &found))
        return errno == ENOENT ? 0 : 9;
    /* "d/" and "d//" are two paths to one place. */
    return path[2] == 'e' ? 1 : path[2] == '.' ? 2 : 3;
}
