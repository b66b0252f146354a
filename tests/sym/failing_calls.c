// At most one call fails: none, the first write, the second, or the close.
// paths: 4
// exit-codes: 0 1 2 3
// inputs: close_fail ftruncate_fail getcwd_fail read_fail write_fail
// run: --max-fail 1
// replay: no
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    int fd = open("file", O_WRONLY | O_CREAT, 0600), failed = 0;
    if (fd < 0)
        return 99;
    if (write(fd, "a", 1) != 1)
        failed = errno == EIO ? 1 : 98;
    if (write(fd, "b", 1) != 1)
        failed = failed ? 97 : errno == EIO ? 2 : 98;
    if (close(fd))
        failed = failed ? 96 : errno == EIO ? 3 : 98;
    return failed;
}
