/* Functions of which some calls have an argument fewer. musl's fetch it in any case,
 * which the engine would rightly call a fault of the caller. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include "syscall.h"

static int takes_argument(int command)
{
	switch (command) {
	case F_GETFD:
	case F_GETFL:
	case F_GETOWN:
	case F_GETSIG:
	case F_GETLEASE:
	case F_GETPIPE_SZ:
	case F_GET_SEALS: return 0;
	default: return 1;
	}
}

int fcntl(int fd, int command, ...)
{
	unsigned long argument = 0;
	va_list arguments;

	va_start(arguments, command);
	if (takes_argument(command)) argument = va_arg(arguments, unsigned long);
	va_end(arguments);
	return syscall(SYS_fcntl, fd, command, argument);
}

static int acts_on_its_own(int request)
{
	return request == FIOCLEX || request == FIONCLEX || request == TIOCEXCL
		|| request == TIOCNXCL || request == TIOCNOTTY || request == TIOCCONS;
}

int ioctl(int fd, int request, ...)
{
	void *argument = 0;
	va_list arguments;

	va_start(arguments, request);
	if (!acts_on_its_own(request)) argument = va_arg(arguments, void *);
	va_end(arguments);
	return syscall(SYS_ioctl, fd, request, argument);
}
