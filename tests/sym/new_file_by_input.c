// A file with a symbolic name of at most one byte is created: "" is not a name, "." and
// "/" are directories, which fail alike, and everything else is a new file, which is then
// compared with "x"; the letters of the name fork only where the program compares them.
// paths: 4
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
