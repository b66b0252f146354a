/* For bitcode compiled against glibc's headers with _FORTIFY_SOURCE: the checked
 * variants of string and stdio functions. The engine's own checks are more precise
 * (it knows the size of every object), so each calls the plain function, except
 * that a copy larger than the declared destination is a fault of the caller. */

#define _GNU_SOURCE
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>
#include "glibc_checked.h"

_Noreturn void __chk_fail(void)
{
	fputs("*** buffer overflow detected ***: terminated\n", stderr);
	abort();
}

/* Blocks */

void *__memcpy_chk(void *to, const void *from, size_t count, size_t room)
{
	need(count, room);
	return memcpy(to, from, count);
}

void *__memmove_chk(void *to, const void *from, size_t count, size_t room)
{
	need(count, room);
	return memmove(to, from, count);
}

void *__mempcpy_chk(void *to, const void *from, size_t count, size_t room)
{
	need(count, room);
	return mempcpy(to, from, count);
}

void *__memset_chk(void *to, int byte, size_t count, size_t room)
{
	need(count, room);
	return memset(to, byte, count);
}

void __explicit_bzero_chk(void *to, size_t count, size_t room)
{
	need(count, room);
	explicit_bzero(to, count);
}

/* Strings */

char *__strcpy_chk(char *to, const char *from, size_t room)
{
	need(strlen(from) + 1, room);
	return strcpy(to, from);
}

char *__stpcpy_chk(char *to, const char *from, size_t room)
{
	need(strlen(from) + 1, room);
	return stpcpy(to, from);
}

char *__strncpy_chk(char *to, const char *from, size_t count, size_t room)
{
	need(count, room);
	return strncpy(to, from, count);
}

char *__stpncpy_chk(char *to, const char *from, size_t count, size_t room)
{
	need(count, room);
	return stpncpy(to, from, count);
}

char *__strcat_chk(char *to, const char *from, size_t room)
{
	need(strlen(to) + strlen(from) + 1, room);
	return strcat(to, from);
}

char *__strncat_chk(char *to, const char *from, size_t count, size_t room)
{
	need(strlen(to) + strnlen(from, count) + 1, room);
	return strncat(to, from, count);
}

size_t __strlcpy_chk(char *to, const char *from, size_t count, size_t room)
{
	need(count, room);
	return strlcpy(to, from, count);
}

size_t __strlcat_chk(char *to, const char *from, size_t count, size_t room)
{
	need(count, room);
	return strlcat(to, from, count);
}

/* Output: glibc checks %n if flag is set, which is not done here. */

int __vfprintf_chk(FILE *file, int flag, const char *format, va_list arguments)
{
	return vfprintf(file, format, arguments);
}

int __vprintf_chk(int flag, const char *format, va_list arguments)
{
	return vprintf(format, arguments);
}

int __vsnprintf_chk(char *to, size_t count, int flag, size_t room, const char *format,
	va_list arguments)
{
	need(count, room);
	return vsnprintf(to, count, format, arguments);
}

int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list arguments)
{
	int length = vsnprintf(to, room, format, arguments);

	if (length >= 0) need((size_t)length + 1, room);
	return length;
}

int __vasprintf_chk(char **to, int flag, const char *format, va_list arguments)
{
	return vasprintf(to, format, arguments);
}

int __vdprintf_chk(int fd, int flag, const char *format, va_list arguments)
{
	return vdprintf(fd, format, arguments);
}

int __fprintf_chk(FILE *file, int flag, const char *format, ...)
{
	VARIADIC(__vfprintf_chk(file, flag, format, arguments));
}

int __printf_chk(int flag, const char *format, ...)
{
	VARIADIC(__vprintf_chk(flag, format, arguments));
}

int __snprintf_chk(char *to, size_t count, int flag, size_t room, const char *format, ...)
{
	VARIADIC(__vsnprintf_chk(to, count, flag, room, format, arguments));
}

int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...)
{
	VARIADIC(__vsprintf_chk(to, flag, room, format, arguments));
}

int __asprintf_chk(char **to, int flag, const char *format, ...)
{
	VARIADIC(__vasprintf_chk(to, flag, format, arguments));
}

int __dprintf_chk(int fd, int flag, const char *format, ...)
{
	VARIADIC(__vdprintf_chk(fd, flag, format, arguments));
}

void __vsyslog_chk(int priority, int flag, const char *format, va_list arguments)
{
	vsyslog(priority, format, arguments);
}

void __syslog_chk(int priority, int flag, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsyslog(priority, format, arguments);
	va_end(arguments);
}

/* Input */

char *__fgets_chk(char *to, size_t room, int count, FILE *file)
{
	need(count, room);
	return fgets(to, count, file);
}

char *__fgets_unlocked_chk(char *to, size_t room, int count, FILE *file)
{
	return __fgets_chk(to, room, count, file);
}

size_t __fread_chk(void *to, size_t room, size_t size, size_t count, FILE *file)
{
	if (size && count > room / size) __chk_fail();
	return fread(to, size, count, file);
}

size_t __fread_unlocked_chk(void *to, size_t room, size_t size, size_t count, FILE *file)
{
	return __fread_chk(to, room, size, count, file);
}

ssize_t __read_chk(int fd, void *to, size_t count, size_t room)
{
	need(count, room);
	return read(fd, to, count);
}

ssize_t __pread_chk(int fd, void *to, size_t count, off_t offset, size_t room)
{
	need(count, room);
	return pread(fd, to, count, offset);
}

ssize_t __readlink_chk(const char *path, char *to, size_t count, size_t room)
{
	need(count, room);
	return readlink(path, to, count);
}

int __gethostname_chk(char *to, size_t count, size_t room)
{
	need(count, room);
	return gethostname(to, count);
}

char *__getcwd_chk(char *to, size_t count, size_t room)
{
	need(count, room);
	return getcwd(to, count);
}

char *__realpath_chk(const char *path, char *to, size_t room)
{
	return realpath(path, to);
}

int __poll_chk(struct pollfd *fds, nfds_t count, int timeout, size_t room)
{
	if (count > room / sizeof *fds) __chk_fail();
	return poll(fds, count, timeout);
}

long __fdelt_chk(long fd)
{
	if (fd < 0 || fd >= 1024) __chk_fail();
	return fd / (8 * sizeof(long));
}

_Noreturn void __longjmp_chk(void *buffer, int value)
{
	_Noreturn void longjmp(void *, int);
	longjmp(buffer, value);
}
