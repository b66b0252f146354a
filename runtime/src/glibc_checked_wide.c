/* The checked variants of wide-character functions, like those of
 * glibc_checked.c; room is counted in wide characters. */

#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include "glibc_checked.h"

wchar_t *__wmemcpy_chk(wchar_t *to, const wchar_t *from, size_t count, size_t room)
{
	need(count, room);
	return wmemcpy(to, from, count);
}

wchar_t *__wmemset_chk(wchar_t *to, wchar_t value, size_t count, size_t room)
{
	need(count, room);
	return wmemset(to, value, count);
}

wchar_t *__wcscpy_chk(wchar_t *to, const wchar_t *from, size_t room)
{
	need(wcslen(from) + 1, room);
	return wcscpy(to, from);
}

wchar_t *__wcscat_chk(wchar_t *to, const wchar_t *from, size_t room)
{
	need(wcslen(to) + wcslen(from) + 1, room);
	return wcscat(to, from);
}

size_t __mbstowcs_chk(wchar_t *to, const char *from, size_t count, size_t room)
{
	need(count, room);
	return mbstowcs(to, from, count);
}

size_t __wcstombs_chk(char *to, const wchar_t *from, size_t count, size_t room)
{
	need(count, room);
	return wcstombs(to, from, count);
}

wchar_t *__wmemmove_chk(wchar_t *to, const wchar_t *from, size_t count, size_t room)
{
	need(count, room);
	return wmemmove(to, from, count);
}

wchar_t *__wcsncpy_chk(wchar_t *to, const wchar_t *from, size_t count, size_t room)
{
	need(count, room);
	return wcsncpy(to, from, count);
}

wchar_t *__wcsncat_chk(wchar_t *to, const wchar_t *from, size_t count, size_t room)
{
	need(wcslen(to) + wcsnlen(from, count) + 1, room);
	return wcsncat(to, from, count);
}

int __vfwprintf_chk(FILE *file, int flag, const wchar_t *format, va_list arguments)
{
	return vfwprintf(file, format, arguments);
}

int __vwprintf_chk(int flag, const wchar_t *format, va_list arguments)
{
	return vwprintf(format, arguments);
}

int __vswprintf_chk(wchar_t *to, size_t count, int flag, size_t room, const wchar_t *format,
	va_list arguments)
{
	need(count, room);
	return vswprintf(to, count, format, arguments);
}

int __fwprintf_chk(FILE *file, int flag, const wchar_t *format, ...)
{
	VARIADIC(vfwprintf(file, format, arguments));
}

int __wprintf_chk(int flag, const wchar_t *format, ...)
{
	VARIADIC(vwprintf(format, arguments));
}

int __swprintf_chk(wchar_t *to, size_t count, int flag, size_t room, const wchar_t *format, ...)
{
	VARIADIC(__vswprintf_chk(to, count, flag, room, format, arguments));
}

wchar_t *__fgetws_chk(wchar_t *to, size_t room, int count, FILE *file)
{
	need(count, room);
	return fgetws(to, count, file);
}
