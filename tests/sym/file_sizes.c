// A file and standard input of symbolic size: a program that uses the sizes has a path
// for each length.
// paths: 12
// exit-codes: 0 1 2 10 11 12 20 21 22 30 31 32
// inputs: A-data A-size stdin stdin-size
// run: --sym-files 1 3 --sym-stdin 2 --sym-sizes
// replay: no
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    char bytes[8];
    struct stat about;
    int fd = open("A", O_RDONLY), tens = 0, ones = 0;
    long got = read(fd, bytes, sizeof bytes);
    if (fstat(fd, &about) || about.st_size != got || lseek(fd, 0, SEEK_END) != got)
        return 99;
    while (tens < got)
        tens++;
    got = read(0, bytes, sizeof bytes);
    while (ones < got)
        ones++;
    if (read(0, bytes, 1) != 0)
        return 98;
    return 10 * tens + ones;
}
