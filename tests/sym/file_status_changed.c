// What the program sets in the status of a symbolic file is no longer symbolic; the rest is.
// paths: 2
// exit-codes: 0 1
// inputs: A-data A-data-stat
// run: --sym-files 1 4 --sym-stat
// replay: no
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

int main(void)
{
    struct stat s, old;
    struct timeval both[2] = {{100, 0}, {200, 0}};
    struct timespec one[2] = {{.tv_nsec = UTIME_OMIT}, {300, 0}};
    if (stat("A", &old) || chmod("A", 0640) || utimes("A", both) || stat("A", &s))
        return 99;
    if ((s.st_mode & 07777) != 0640 || s.st_atime != 100 || s.st_mtime != 200)
        return 98;
    int fd = open("A", O_RDWR);
    if (fchmod(fd, 0600) || futimens(fd, one) || fstat(fd, &s))
        return 97;
    if ((s.st_mode & 07777) != 0600 || s.st_atime != 100 || s.st_mtime != 300)
        return 96;
    one[1].tv_sec = 400;
    if (utimensat(AT_FDCWD, "A", one, 0) || stat("A", &s) || s.st_mtime != 400)
        return 95;
    if (chown("A", getuid(), -1) || fchown(fd, -1, getgid()) || stat("A", &s))
        return 94;
    if (s.st_uid != getuid() || s.st_gid != getgid())
        return 93;
    if (link("A", "again") || stat("A", &s) || s.st_nlink != old.st_nlink + 1)
        return 92;
    struct utimbuf plain = {500, 600};
    if (utime("A", &plain) || fstat(fd, &s) || s.st_atime != 500 || s.st_mtime != 600)
        return 91;
    if (write(fd, "x", 1) != 1 || fstat(fd, &s) || s.st_mtime == 600)
        return 90;
    // The owner before the change.
    if (old.st_uid == 0)
        return 1;
    return 0;
}
