// A file and standard input of symbolic size, read by a program that ignores the size:
// no fork before the size is used, and bytes beyond the end are unchanged.
// paths: 4
// exit-codes: 0 1 2
// inputs: A-data A-size stdin stdin-size
// run: --sym-files 1 3 --sym-stdin 2 --sym-sizes
// replay: no
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    char bytes[8] = "......", more[4] = "...";
    struct stat about;
    int fd = open("A", O_RDONLY);
    long from_file = read(fd, bytes, sizeof bytes), again = read(fd, bytes, sizeof bytes);
    long from_input = read(0, more, sizeof more), again_input = read(0, more, 1);
    if (again != 0 || again_input != 0)
        return 99;
    if (fstat(fd, &about) || about.st_size != from_file || bytes[3] != '.' || more[2] != '.')
        return 98;
    if (from_file + from_input == 5) {
        if (bytes[2] == '.' && more[1] == 'x')
            return 1;
        return 0;
    }
    return 2;
}
