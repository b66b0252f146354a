/* String copies, which check that the two strings do not overlap: byte by byte, an
 * overlapping copy would overwrite its own end and fail somewhere else. Only strings in
 * one object are measured first. */

#define _GNU_SOURCE
#include <string.h>
#include "engine.h"

char *stpcpy(char *restrict to, const char *restrict from)
{
	if (__byway_same_object(to, from)) {
		size_t size = strlen(from) + 1;
		__byway_check_overlap(to, size, from, size);
	}
	while ((*to = *from)) to++, from++;
	return to;
}

char *strcpy(char *restrict to, const char *restrict from)
{
	stpcpy(to, from);
	return to;
}

char *stpncpy(char *restrict to, const char *restrict from, size_t count)
{
	if (__byway_same_object(to, from)) {
		size_t length = strnlen(from, count), size = length + (length < count);
		__byway_check_overlap(to, size, from, size);
	}
	while (count && (*to = *from)) to++, from++, count--;
	memset(to, 0, count);
	return to;
}

char *strncpy(char *restrict to, const char *restrict from, size_t count)
{
	stpncpy(to, from, count);
	return to;
}

char *strcat(char *restrict to, const char *restrict from)
{
	size_t before = strlen(to);

	if (__byway_same_object(to, from)) {
		size_t size = strlen(from) + 1;
		__byway_check_overlap(to, before + size, from, size);
	}
	stpcpy(to + before, from);
	return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t count)
{
	size_t before = strlen(to), length;

	if (__byway_same_object(to, from)) {
		length = strnlen(from, count);
		__byway_check_overlap(to, before + length + 1, from, length + (length < count));
	}
	char *end = to + before;
	while (count && (*end = *from)) end++, from++, count--;
	*end = 0;
	return to;
}

char *__stpcpy(char *restrict, const char *restrict) __attribute__((__alias__("stpcpy")));
char *__stpncpy(char *restrict, const char *restrict, size_t)
	__attribute__((__alias__("stpncpy")));
