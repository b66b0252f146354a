/* Shared by the checked variants of glibc's functions. */
#ifndef BYWAY_GLIBC_CHECKED_H
#define BYWAY_GLIBC_CHECKED_H

#include <stddef.h>

/* Ends the program as glibc does when a destination is too small. */
_Noreturn void __chk_fail(void);

static inline void need(size_t wanted, size_t available)
{
	if (wanted > available) __chk_fail();
}

/* The body of a variadic function whose last named parameter is `format`, which
 * calls a function that takes the `arguments` as a va_list. */
#define VARIADIC(call)                                                                         \
	va_list arguments;                                                                     \
	va_start(arguments, format);                                                           \
	int result = call;                                                                     \
	va_end(arguments);                                                                     \
	return result

#endif
