/* System calls of which a caller may pass fewer arguments than there can be. musl's
 * functions fetch all there can be, which the engine would rightly call a fault; here,
 * those that were not passed are zero. */

#define _GNU_SOURCE
#include <sched.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "engine.h"
#include "syscall.h"
#undef syscall

/* Where va_arg finds what came in registers, and what did not. */
struct variadic {
	unsigned general_offset, float_offset;
	const char *beyond, *registers;
};

enum { GENERAL_SIZE = 6 * 8, MOST = 6 };

/* What a call was passed. A global is where nothing counts as uninitialised. */
static unsigned long passed[MOST];

/* A copy, unlike a read, may be of what was never passed, and is zero there. The one
 * argument that is not in a register is there if anything is beyond them. */
static void take(va_list list)
{
	const struct variadic *from = (const void *)list;
	size_t in_registers = GENERAL_SIZE - from->general_offset;
	size_t area = from->beyond - from->registers;

	memset(passed, 0, sizeof passed);
	memcpy(passed, from->registers + from->general_offset, in_registers);
	if (__byway_object_size(from->registers) > area)
		memcpy((char *)passed + in_registers, from->beyond, sizeof *passed);
}

long syscall(long number, ...)
{
	va_list list;

	va_start(list, number);
	take(list);
	va_end(list);
	return __syscall_ret(__byway_syscall(number, passed[0], passed[1], passed[2], passed[3],
		passed[4], passed[5]));
}

int prctl(int option, ...)
{
	va_list list;

	va_start(list, option);
	take(list);
	va_end(list);
	return __syscall_ret(__byway_syscall(SYS_prctl, option, passed[0], passed[1], passed[2],
		passed[3], 0));
}
