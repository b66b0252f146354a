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

/* The next argument, or zero if no more were passed. */
static long next_or_zero(va_list *arguments)
{
	const struct list *list = (const void *)arguments;
	const char *next = list->general < GENERAL_REGISTERS
		? list->registers + list->general : list->stack;

	return __byway_written(next, sizeof(long)) ? va_arg(*arguments, long) : 0;
}

static void fetch(va_list *arguments, long *out, int count)
{
	for (int i = 0; i < count; i++) out[i] = next_or_zero(arguments);
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
	return __syscall_ret(__syscall(SYS_fcntl, fd, command, argument));
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
	return __syscall_ret(__syscall(SYS_ioctl, fd, request, argument));
}
