// A longer path is not held to one value: each directory on the way is found, and what is in it.
// exit-codes: 0 1 2 3 4
// replay: no
#include <byway.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

int main(void)
{
    char path[7];
    struct stat found;
    mkdir("d", 0700);
    mkdir("d/ee", 0700);
    byway_make_symbolic(path, sizeof path, "path");
    path[6] = 0;
    byway_assume(path[5] != 0);
    if (stat(path, &found))
        return errno == ENOENT ? 0 : 9;
    if (!strcmp(path, "d/./ee"))
        return 1;
    if (!strcmp(path, "//home"))
        return 2;
    if (!strcmp(path, "d/ee/."))
        return 3;
    return 4;
}
