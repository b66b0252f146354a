// Operations on a symbolic file do not fork; only comparisons of its bytes in the program
// do. The file is read twice, at offsets, by a mapping and through stdio; it is written,
// truncated and removed.
// paths: 2
// exit-codes: 0 1
// inputs: A-data
// run: --sym-files 1 4
// replay: no
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int same(const char *a, const char *b, int count)
{
    int different = 0;
    for (int i = 0; i < count; i++)
        different |= a[i] ^ b[i];
    return !different;
}

int main(void)
{
    char first[8], second[8], third[8];
    struct stat about;
    int a = open("A", O_RDWR), b = open("./A", O_RDONLY);

    if (read(a, first, sizeof first) != 4 || read(a, first, 1) != 0)
        return 90;
    if (read(b, second, 2) != 2 || read(b, second + 2, 7) != 2 || !same(first, second, 4))
        return 91;
    if (lseek(b, -3, SEEK_END) != 1 || read(b, third, 1) != 1 || third[0] != first[1])
        return 92;
    if (pread(b, third, 2, 2) != 2 || !same(third, first + 2, 2))
        return 93;
    if (fstat(a, &about) || about.st_size != 4 || !S_ISREG(about.st_mode))
        return 94;
    char *map = mmap(0, 4, PROT_READ, MAP_PRIVATE, b, 0);
    if (map == MAP_FAILED || !same(map, first, 4) || munmap(map, 4))
        return 95;
    FILE *stream = fopen("A", "r");
    if (!stream || fread(third, 1, 4, stream) != 4 || !same(third, first, 4) || fclose(stream))
        return 96;
    // Reads what was written through the other descriptor.
    if (pwrite(a, first, 1, 3) != 1 || pread(b, third, 1, 3) != 1 || third[0] != first[0])
        return 97;
    if (ftruncate(a, 1) || ftruncate(a, 3) || pread(b, third, 8, 0) != 3)
        return 98;
    if (third[0] != first[0] || third[1] || third[2])
        return 99;
    if (unlink("A") || access("A", F_OK) != -1 || errno != ENOENT || pread(b, third, 1, 0) != 1)
        return 100;
    if (third[0] == 'x')
        return 1;
    return 0;
}
