// A file whose name of at most one byte depends on input is made: "" is no name, "." and
// "/" are directories, and everything else is a new file, which is then called "x" or
// something else; the name's letters matter only where they are asked for.
// paths: 5
// exit-codes: 0 1 2
// run: --sym-arg 1
// replay: no
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc != 2)
        return 99;
    int fd = open(argv[1], O_WRONLY | O_CREAT, 0600);
    if (fd < 0)
        return errno == EISDIR || errno == ENOENT ? 2 : 98;
    if (write(fd, "text", 4) != 4 || close(fd) || access(argv[1], W_OK))
        return 97;
    return access("x", F_OK) == 0;
}
