/* The functions of byway.h. */

#include <byway.h>
#include "engine.h"

void byway_make_symbolic(void *object, size_t size, const char *name)
{
	__byway_symbolic(object, size, name ? name : "unnamed");
}

int byway_int(const char *name)
{
	int value;
	byway_make_symbolic(&value, sizeof value, name);
	return value;
}

int byway_range(int begin, int end, const char *name)
{
	if (begin >= end) __byway_report("invalid range", 0, 0);
	if (end - 1 == begin) return begin;
	int value = byway_int(name);
	__byway_assume((begin <= value) & (value < end));
	return value;
}

size_t byway_choose(size_t count, const char *name)
{
	size_t value;
	byway_make_symbolic(&value, sizeof value, name);
	__byway_assume(value < count);
	return value;
}

void byway_assume(byway_condition condition)
{
	__byway_assume(condition);
}

void byway_prefer(byway_condition condition)
{
	__byway_prefer(condition);
}

void byway_exclude(void)
{
	__byway_exclude();
}

void byway_report(const char *message)
{
	__byway_report(message, 0, 0);
}

void byway_check_access(const void *pointer, size_t size)
{
	__byway_check_access(pointer, size);
}

int byway_is_symbolic(unsigned long value)
{
	return __byway_is_symbolic(value);
}

unsigned long byway_value(unsigned long value)
{
	return __byway_value(value);
}

size_t byway_object_size(const void *pointer)
{
	return __byway_object_size(pointer);
}

int byway_is_replay(void)
{
	return 0;
}

void byway_say(const char *text)
{
	__byway_say(text);
}

void byway_print_term(const char *text, unsigned long value)
{
	__byway_say_term(text, value);
}

void byway_print_range(const char *text, unsigned long value)
{
	__byway_say_range(text, value);
}

void byway_forking(int on)
{
	__byway_forking(on);
}

void byway_fixed_object(void *address, size_t size)
{
	__byway_fixed_object(address, size);
}

void byway_unsupported(const char *what)
{
	__byway_unsupported(what);
}

void byway_warn(const char *what)
{
	__byway_warn(what);
}
