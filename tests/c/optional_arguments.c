// Calls with fewer arguments than the function can take: missing arguments are not read.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	char text[8] = "";
	int ends[2];

	printf("%d\n", syscall(SYS_getpid) == getpid());
	printf("%ld %d\n", syscall(SYS_close, -1), errno == EBADF);
	printf("%ld\n", syscall(SYS_pipe2, ends, O_CLOEXEC));
	printf("%ld\n", syscall(SYS_write, ends[1], "seven", 5L));
	printf("%ld %s\n", syscall(SYS_read, ends[0], text, sizeof text - 1), text);
	printf("%ld %d\n", syscall(SYS_renameat2, AT_FDCWD, "no such file", AT_FDCWD, "b", 0), errno == ENOENT);
	printf("%d\n", fcntl(ends[0], F_GETFD) == FD_CLOEXEC);
	printf("%d\n", ioctl(ends[0], FIONCLEX));
	printf("%d\n", fcntl(ends[0], F_GETFD));
	return 0;
}
