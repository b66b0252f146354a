// The status of a symbolic file: owner, permissions and times are unconstrained; type
// and size are concrete.
// paths: 8
// exit-codes: 0 1 2 3 4 5 6 7
// inputs: A-data A-data-stat
// run: --sym-files 1 4 --sym-stat
// replay: no
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    struct stat about, again;
    if (stat("A", &about) || fstat(open("A", O_RDONLY), &again))
        return 99;
    if (!S_ISREG(about.st_mode) || about.st_size != 4 || about.st_nlink < 1)
        return 98;
    if (about.st_uid != again.st_uid || about.st_mode != again.st_mode)
        return 97;
    int code = 0;
    if (about.st_uid == 0)
        code |= 1;
    if (about.st_mode & S_IWOTH)
        code |= 2;
    if (about.st_mtime > 1600000000)
        code |= 4;
    return code;
}
