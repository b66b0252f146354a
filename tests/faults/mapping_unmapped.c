// Reading a mapping after its last page was unmapped.
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
    int fd = open("file", O_CREAT | O_RDWR, 0600);
    if (ftruncate(fd, 8192))
        return 1;
    char *text = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (munmap(text, 4096))
        return 2;
    putchar('0' + text[4096]);
    if (munmap(text + 4096, 4096))
        return 3;
    putchar('0' + text[4096]); // FAULT use-after-free
}
