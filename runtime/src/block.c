/* Block copies and fills. Each builtin becomes one instruction of the engine,
 * which checks both ranges and names the object that is too small, instead of a
 * loop that the interpreter would execute. */

#define _GNU_SOURCE
#include <string.h>
#include <strings.h>

void *memcpy(void *restrict to, const void *restrict from, size_t count)
{
	return __builtin_memcpy(to, from, count);
}

void *memmove(void *to, const void *from, size_t count)
{
	return __builtin_memmove(to, from, count);
}

void *memset(void *to, int byte, size_t count)
{
	return __builtin_memset(to, byte, count);
}

void explicit_bzero(void *to, size_t count)
{
	__builtin_memset(to, 0, count);
}
