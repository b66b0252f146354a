/* The functions of klee/klee.h, based on byway.h and the engine. */

#include <byway.h>
#include <errno.h>
#include <klee/klee.h>
#include <stdarg.h>
#include <stdlib.h>
#include "engine.h"

/* Input */

void klee_make_symbolic(void *object, size_t size, const char *name)
{
	byway_make_symbolic(object, size, name);
}

int klee_int(const char *name)
{
	return byway_int(name);
}

int klee_range(int begin, int end, const char *name)
{
	return byway_range(begin, end, name);
}

uintptr_t klee_choose(uintptr_t count)
{
	return byway_choose(count, "klee_choose");
}

/* Assumptions */

void klee_assume(uintptr_t condition)
{
	__byway_assume(condition);
}

void klee_prefer_cex(void *object, uintptr_t condition)
{
	__byway_prefer(condition);
}

void klee_posix_prefer_cex(void *object, uintptr_t condition)
{
	__byway_prefer(condition);
}

/* Ends of a path */

void klee_silent_exit(int status)
{
	__byway_exclude();
}

void klee_abort(void)
{
	abort();
}

_Noreturn void klee_assert_fail(const char *expression, const char *file, unsigned line,
	const char *function)
{
	__byway_assert_fail(expression, file, line, function);
}

void klee_report_error(const char *file, int line, const char *message, const char *suffix)
{
	__byway_report(message, file, line);
}

/* Possible values. Floating-point values pass through the engine as bit
 * patterns, including infinities and NaNs. */

#define INTEGER_VALUE(type, suffix)                                                            \
	type klee_get_value##suffix(type value)                                                \
	{                                                                                      \
		return (type)__byway_value((unsigned long)value);                              \
	}

INTEGER_VALUE(long, l)
INTEGER_VALUE(long long, ll)
INTEGER_VALUE(int32_t, _i32)
INTEGER_VALUE(int64_t, _i64)

#define FLOAT_VALUE(type, bits, suffix)                                                        \
	type klee_get_value##suffix(type value)                                                \
	{                                                                                      \
		union {                                                                        \
			type value;                                                            \
			bits as_bits;                                                          \
		} both = { .value = value };                                                   \
		both.as_bits = (bits)__byway_value(both.as_bits);                              \
		return both.value;                                                             \
	}

FLOAT_VALUE(float, uint32_t, f)
FLOAT_VALUE(double, uint64_t, d)

/* About values, memory and the run */

unsigned klee_is_symbolic(uintptr_t value)
{
	return __byway_is_symbolic(value);
}

size_t klee_get_obj_size(void *object)
{
	return __byway_object_size(object);
}

void klee_check_memory_access(const void *pointer, size_t size)
{
	__byway_check_access(pointer, size);
}

unsigned klee_is_replay(void)
{
	return 0;
}

int klee_get_errno(void)
{
	return errno;
}

/* Messages */

void klee_warning(const char *message)
{
	__byway_say(message);
}

/* Once per path, for as many messages as the table holds. */
void klee_warning_once(const char *message)
{
	static const char *said[64];
	for (unsigned i = 0; i < sizeof said / sizeof *said; i++) {
		if (said[i] == message) return;
		if (!said[i]) {
			said[i] = message;
			break;
		}
	}
	__byway_say(message);
}

static void say_words(const char *message, const unsigned long *from, const unsigned long *end)
{
	for (; from < end; from++)
		if (__byway_passed(from)) __byway_say_term(message, __byway_argument(from));
}

/* The value may have any type, which is not known here: prints each word that the caller
 * passed, in general registers, in vector registers or on the stack (the x86-64 ABI's
 * va_list). A double shows as its bits. */
void klee_print_expr(const char *message, ...)
{
	enum { REGISTER_WORDS = (6 * 8 + 8 * 16) / sizeof(long) };
	va_list arguments;
	va_start(arguments, message);
	unsigned long *registers = arguments->reg_save_area;
	unsigned long *stack = arguments->overflow_arg_area;
	say_words(message, registers + arguments->gp_offset / sizeof(long),
		registers + REGISTER_WORDS);
	say_words(message, stack, stack + __byway_room(stack) / sizeof(long));
	va_end(arguments);
}

void klee_print_range(const char *name, int value)
{
	__byway_say_range(name, (unsigned long)value);
}

void klee_stack_trace(void)
{
	__byway_warn("klee_stack_trace shows nothing");
}

/* Control of the exploration. Merging only saves work: paths that are not merged
 * are explored separately. */

void klee_set_forking(unsigned enable)
{
	__byway_forking(enable != 0);
}

void klee_define_fixed_object(void *address, size_t size)
{
	__byway_fixed_object(address, size);
}

void klee_open_merge(void)
{
}

void klee_close_merge(void)
{
}

void klee_mark_global(void *object)
{
}

void klee_alias_function(const char *name, const char *stands_for)
{
	__byway_warn("klee_alias_function has no effect");
}

void klee_alias_function_undo(const char *name)
{
	__byway_warn("klee_alias_function_undo has no effect");
}
