/* For bitcode compiled against glibc's headers: names that glibc has and musl lacks.
 * Where a header only renames a function, the new name calls the original one.
 *
 * glibc's __isoc23_ functions also read "0b" numbers; these do not. */

#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <malloc.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/sysmacros.h>
#include <sys/types.h>
#include <unistd.h>
#include <wchar.h>
#include "engine.h"

#undef isinf
#undef isnan

/* Numbers */

#define NUMBER(type, name, character)                                                          \
	type __isoc23_##name(const character *text, character **end, int base)                 \
	{                                                                                      \
		return name(text, end, base);                                                  \
	}

NUMBER(long, strtol, char)
NUMBER(unsigned long, strtoul, char)
NUMBER(long long, strtoll, char)
NUMBER(unsigned long long, strtoull, char)
NUMBER(intmax_t, strtoimax, char)
NUMBER(uintmax_t, strtoumax, char)
NUMBER(long, wcstol, wchar_t)
NUMBER(unsigned long, wcstoul, wchar_t)
NUMBER(long long, wcstoll, wchar_t)
NUMBER(unsigned long long, wcstoull, wchar_t)

double __strtod_internal(const char *text, char **end, int group)
{
	return strtod(text, end);
}

float __strtof_internal(const char *text, char **end, int group)
{
	return strtof(text, end);
}

long double __strtold_internal(const char *text, char **end, int group)
{
	return strtold(text, end);
}

/* Classes of floating-point numbers, as functions */

#define CLASSES(type, suffix)                                                                  \
	int __isnan##suffix(type x)                                                            \
	{                                                                                      \
		return __builtin_isnan(x);                                                     \
	}                                                                                      \
	int __isinf##suffix(type x)                                                            \
	{                                                                                      \
		return __builtin_isinf_sign(x);                                                \
	}                                                                                      \
	int __finite##suffix(type x)                                                           \
	{                                                                                      \
		return __builtin_isfinite(x);                                                  \
	}                                                                                      \
	int isnan##suffix(type x)                                                              \
	{                                                                                      \
		return __builtin_isnan(x);                                                     \
	}                                                                                      \
	int isinf##suffix(type x)                                                              \
	{                                                                                      \
		return __builtin_isinf_sign(x);                                                \
	}

CLASSES(double, )
CLASSES(float, f)
CLASSES(long double, l)

/* scanf */

int __isoc23_vfscanf(FILE *file, const char *format, va_list arguments)
{
	return vfscanf(file, format, arguments);
}

int __isoc23_vscanf(const char *format, va_list arguments)
{
	return vfscanf(stdin, format, arguments);
}

int __isoc23_vsscanf(const char *text, const char *format, va_list arguments)
{
	return vsscanf(text, format, arguments);
}

int __isoc23_fscanf(FILE *file, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	int result = vfscanf(file, format, arguments);
	va_end(arguments);
	return result;
}

int __isoc23_scanf(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	int result = vfscanf(stdin, format, arguments);
	va_end(arguments);
	return result;
}

int __isoc23_sscanf(const char *text, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	int result = vsscanf(text, format, arguments);
	va_end(arguments);
	return result;
}

/* Strings */

void *rawmemchr(const void *block, int byte)
{
	const unsigned char *at = block;
	while (*at != (unsigned char)byte) at++;
	return (void *)at;
}

void *__rawmemchr(const void *block, int byte)
{
	return rawmemchr(block, byte);
}

void *__mempcpy(void *to, const void *from, size_t count)
{
	return mempcpy(to, from, count);
}

void __bzero(void *to, size_t count)
{
	memset(to, 0, count);
}

char *__strdup(const char *text)
{
	return strdup(text);
}

char *__strndup(const char *text, size_t limit)
{
	return strndup(text, limit);
}

char *__strtok_r(char *text, const char *separators, char **rest)
{
	return strtok_r(text, separators, rest);
}

ssize_t __getdelim(char **line, size_t *size, int delimiter, FILE *file)
{
	return getdelim(line, size, delimiter, file);
}

char *__secure_getenv(const char *name)
{
	return secure_getenv(name);
}

/* The heap: functions built on those that the engine supplies */

void *pvalloc(size_t size)
{
	return memalign(4096, (size + 4095) & -4096UL);
}

void cfree(void *block)
{
	free(block);
}

/* Files */

int __open_2(const char *path, int flags)
{
	return open(path, flags);
}

int __open64_2(const char *path, int flags)
{
	return open(path, flags);
}

int __openat_2(int directory, const char *path, int flags)
{
	return openat(directory, path, flags);
}

char *canonicalize_file_name(const char *path)
{
	return realpath(path, 0);
}

unsigned gnu_dev_major(dev_t device)
{
	return major(device);
}

unsigned gnu_dev_minor(dev_t device)
{
	return minor(device);
}

dev_t gnu_dev_makedev(unsigned high, unsigned low)
{
	return makedev(high, low);
}

int __xpg_sigpause(int signal)
{
	return sigpause(signal);
}

int fcloseall(void)
{
	return fflush(0);
}

/* Messages that may end the program */

unsigned error_message_count;
int error_one_per_line;
void (*error_print_progname)(void);

static void print_program(void)
{
	fflush(stdout);
	if (error_print_progname) error_print_progname();
	else fprintf(stderr, "%s:", program_invocation_name);
}

static void print_message(int status, int number, const char *format, va_list arguments)
{
	vfprintf(stderr, format, arguments);
	error_message_count++;
	if (number) fprintf(stderr, ": %s", strerror(number));
	fputc('\n', stderr);
	if (status) exit(status);
}

void error(int status, int number, const char *format, ...)
{
	va_list arguments;

	print_program();
	fputc(' ', stderr);
	va_start(arguments, format);
	print_message(status, number, format, arguments);
	va_end(arguments);
}

void error_at_line(int status, int number, const char *file, unsigned line, const char *format,
	...)
{
	static const char *last_file;
	static unsigned last_line;
	va_list arguments;

	if (error_one_per_line) {
		if (last_file && line == last_line && (file == last_file || !strcmp(file, last_file)))
			return;
		last_file = file;
		last_line = line;
	}
	print_program();
	if (file) fprintf(stderr, "%s:%u: ", file, line);
	else fputc(' ', stderr);
	va_start(arguments, format);
	print_message(status, number, format, arguments);
	va_end(arguments);
}

_Noreturn void __assert(const char *expression, const char *file, int line)
{
	__byway_assert_fail(expression, file, line, "?");
}

_Noreturn void __assert_perror_fail(int number, const char *file, unsigned line,
	const char *function)
{
	__byway_assert_fail(strerror(number), file, line, function);
}

/* Random numbers, which never fail */

void arc4random_buf(void *out, size_t count)
{
	unsigned char *at = out;
	while (count) {
		ssize_t got = getrandom(at, count, 0);
		if (got <= 0) abort();
		at += got;
		count -= got;
	}
}

unsigned arc4random(void)
{
	unsigned value;
	arc4random_buf(&value, sizeof value);
	return value;
}

/* Below `bound`, each value equally likely. */
unsigned arc4random_uniform(unsigned bound)
{
	if (bound < 2) return 0;
	/* The values from here on are a multiple of the bound. */
	unsigned first = -bound % bound, value;
	do value = arc4random(); while (value < first);
	return value % bound;
}

/* The library itself */

const char *gnu_get_libc_version(void)
{
	return "2.36";
}

const char *gnu_get_libc_release(void)
{
	return "stable";
}
