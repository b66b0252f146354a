// The permissions of a symbolic file decide who may do what, as `stat` reports them: reading
// and writing are permitted or not, by the bits of the user, the group or the others, and only the
// owner may change them. What the program sets is no longer symbolic.
// paths: 5
// exit-codes: 0 1 2 3 4
// inputs: A-data A-data-stat
// run: --sym-files 1 4 --sym-access
// replay: no
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static int expected(int wanted)
{
    struct stat about;
    stat("A", &about);
    int is_user = about.st_uid == 1000, is_group = about.st_gid == 1000;
    int shift = 6 * is_user + 3 * ((is_user == 0) & is_group);
    return (about.st_mode >> shift & wanted) == (unsigned)wanted;
}

int main(void)
{
    int fd = open("A", O_RDONLY);

    if (fd < 0)
        return errno == EACCES && access("A", R_OK) == -1 && !expected(R_OK) ? 0 : 99;
    if (!expected(R_OK) || access("A", R_OK) || close(fd))
        return 98;
    fd = open("A", O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (fd < 0 ? expected(W_OK) || errno != EACCES : !expected(W_OK))
        return 97;
    int is_writable = fd >= 0;
    if (chmod("A", 0400))
        return errno != EPERM ? 96 : is_writable ? 1 : 2;
    if (open("A", O_WRONLY) != -1 || open("A", O_RDONLY) < 0)
        return 95;
    return is_writable ? 3 : 4;
}
