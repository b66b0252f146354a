// Up to two calls fail, of each kind at most one: a read (the first, the second or none)
// and getcwd (or not).
// paths: 6
// exit-codes: 0 1 2 10 11 12
// run: --max-fail 2 --sym-files 1 2
// replay: no
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    char byte, path[64];
    int fd = open("A", O_RDONLY), failed = 0;
    for (int i = 1; i <= 2; i++)
        if (read(fd, &byte, 1) != 1)
            failed = failed ? 99 : i;
    if (!getcwd(path, sizeof path))
        failed += errno == ERANGE ? 10 : 98;
    return failed;
}
