// A symbolic file of zero to two bytes, mapped: its page is filled up with zeros, and an empty
// file has no page. Bytes written to a shared mapping are in the file.
// Without a page: a fault. Otherwise by the first byte: one path for 'x', and one for the
// others, which then forks for a second byte that is not zero.
// paths: 4
// exit-codes: 1 2 3
// faults: out-of-bounds@19
// run: --sym-files 1 2 --sym-sizes
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
    int fd = open("A", O_RDONLY);
    const char *text = mmap(0, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
    char bytes[4] = "";

    if (text[0] == 'x')
        return 1;
    if (text[2] || text[4095] || close(fd))
        return 99;
    fd = open("A", O_RDWR);
    char *shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (shared[0] != text[0] || shared[1] != text[1])
        return 98;
    shared[0] = text[1];
    if (read(fd, bytes, 1) != 1 || bytes[0] != text[1])
        return 97;
    if (lseek(fd, 0, SEEK_END) < 1 || pwrite(fd, text, 1, 1) != 1)
        return 96;
    if (shared[1] != text[0])
        return 95;
    return text[1] ? 2 : 3;
}
