/* Functions with optional arguments. musl's versions always read them, which the engine
 * would correctly report as a fault of the caller. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include "engine.h"
#include "syscall.h"

/* The ABI's va_list: the position of the next argument, in the register save area or
 * on the stack. */
struct list {
	unsigned general, vector;
	const char *stack, *registers;
};

enum { GENERAL_REGISTERS = 6 * 8 };

/* The next argument as a word, whether it was passed as an int, a long or a pointer. One
 * that was not passed is zero, or a fault if it is required. */
static long next(va_list *arguments, int required)
{
	struct list *list = (void *)arguments;
	const char *place;

	if (list->general < GENERAL_REGISTERS) {
		place = list->registers + list->general;
		list->general += sizeof(long);
	} else {
		place = list->stack;
		list->stack += sizeof(long);
	}
	if (required) __byway_check_access(place, 1);
	return __byway_argument(place);
}

static void fetch(va_list *arguments, long *out, int count)
{
	for (int i = 0; i < count; i++) out[i] = next(arguments, 0);
}

#undef syscall

long syscall(long number, ...)
{
	long a[6];
	va_list arguments;

	va_start(arguments, number);
	fetch(&arguments, a, 6);
	va_end(arguments);
	return __syscall_ret(__syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]));
}

int prctl(int operation, ...)
{
	long a[4];
	va_list arguments;

	va_start(arguments, operation);
	fetch(&arguments, a, 4);
	va_end(arguments);
	return __syscall_ret(__syscall(SYS_prctl, operation, a[0], a[1], a[2], a[3]));
}

long ptrace(int request, ...)
{
	long a[3];
	va_list arguments;

	va_start(arguments, request);
	fetch(&arguments, a, 3);
	va_end(arguments);
	return __syscall_ret(__syscall(SYS_ptrace, request, a[0], a[1], a[2]));
}

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
	if (takes_argument(command)) argument = next(&arguments, 1);
	va_end(arguments);
	return __syscall_ret(__syscall(SYS_fcntl, fd, command, argument));
}

static int acts_on_its_own(int request)
{
	return request == FIOCLEX || request == FIONCLEX || request == TIOCEXCL
		|| request == TIOCNXCL || request == TIOCNOTTY || request == TIOCCONS;
}

int ioctl(int fd, int request, ...)
{
	long argument = 0;
	va_list arguments;

	va_start(arguments, request);
	if (!acts_on_its_own(request)) argument = next(&arguments, 1);
	va_end(arguments);
	return __syscall_ret(__syscall(SYS_ioctl, fd, request, argument));
}
