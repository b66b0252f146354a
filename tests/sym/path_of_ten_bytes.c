// A symbolic path of ten bytes forks for the existing files, and not for its length, its
// letters or its slashes: A, /home/user, /home, /, /dev, /tmp, /etc,
// /etc/group, /etc/mtab, five devices with names of at most five letters (one of which cannot be
// opened), an error for a name below a file, and one for all other paths.
// paths: 16
// exit-codes: 0 6 20 2
// run: --sym-arg 10 --sym-files 1 4
// replay: no
#include <errno.h>
#include <fcntl.h>

int main(int argc, char **argv)
{
    if (argc != 2)
        return 99;
    return open(argv[1], O_RDONLY) < 0 ? errno : 0;
}
