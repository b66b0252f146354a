// Writing to a file that is mapped to be read.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
    int fd = open("file", O_CREAT | O_RDWR, 0600);
    if (write(fd, "text", 4) != 4)
        return 1;
    char *text = mmap(0, 4, PROT_READ, MAP_SHARED, fd, 0);
    if (mprotect(text, 4, PROT_READ | PROT_WRITE))
        return 2;
    text[0] = 'T';
    if (mprotect(text, 4, PROT_READ))
        return 3;
    text[1] = 'E'; // FAULT write-to-constant
}
