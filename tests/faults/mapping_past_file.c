// Reading a page that the mapped file does not have.
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
    int fd = open("file", O_CREAT | O_RDWR, 0600);
    if (write(fd, "text", 4) != 4 || close(fd))
        return 1;
    fd = open("file", O_RDONLY);
    char *text = mmap(0, 8192, PROT_READ, MAP_PRIVATE, fd, 0);
    putchar('0' + text[4095]);
    putchar('0' + text[4096]); // FAULT out-of-bounds
}
