/* The functions that the engine supplies (`runtime/src/engine.h`), for native runs: the program
 * reaches nothing outside its memory, as on the engine. */
#ifndef INTRINSICS_H
#define INTRINSICS_H

#include "heap.h"

enum { NO_ENTRY = -2, MOST_INPUT = 1 << 20, MAP_PAGES_NEW = 0x100022, READ_WRITE = 3, SYS_MMAP = 9 };

/* --- The world outside the program ---------------------------------------------- */

API long __byway_write(int fd, const void *bytes, unsigned long count)
{
	(void)fd, (void)bytes;
	return count;
}

API long __byway_read(void *bytes, unsigned long count)
{
	(void)bytes, (void)count;
	return 0;
}

/* The clocks stand still at the time that explored programs see. */
API void __byway_clock(int clock, long out[2])
{
	out[0] = clock ? 1 : 1600000000;
	out[1] = 0;
}

API long __byway_host_stat(const char *path, long about[7])
{
	(void)path, (void)about;
	return NO_ENTRY;
}

API long __byway_host_read(const char *path, unsigned long offset, void *bytes, unsigned long count)
{
	(void)path, (void)offset, (void)bytes, (void)count;
	return NO_ENTRY;
}

API long __byway_host_list(const char *path, unsigned long index, char *name, unsigned long size)
{
	(void)path, (void)index, (void)name, (void)size;
	return NO_ENTRY;
}

API long __byway_host_link(const char *path, char *target, unsigned long size)
{
	(void)path, (void)target, (void)size;
	return NO_ENTRY;
}

API long __byway_host_directory(char *path, unsigned long size)
{
	(void)path, (void)size;
	return NO_ENTRY;
}

API void *__byway_map(unsigned long size)
{
	return allocate((size + PAGE - 1) & -(uint64_t)PAGE, PAGE);
}

API void *__byway_arguments(unsigned long size)
{
	return allocate(size, ALIGNMENT);
}

API void __byway_unmap(void *object)
{
	release(object);
}

/* Writing to protected memory is not detected, as writing beyond an object is not. */
API void __byway_protect(void *object, int is_writable)
{
	(void)object, (void)is_writable;
}

/* --- The end of a run -------------------------------------------------------------- */

API _Noreturn void __byway_exit(int code)
{
	__byway_native_end(EXITED, code & 0xff, 0);
}

API _Noreturn void __byway_raise(int signal)
{
	__byway_native_end(RAISED, signal, 0);
}

API _Noreturn void __byway_assert_fail(const char *expression, const char *file, unsigned line,
	const char *function)
{
	(void)file, (void)function;
	__byway_native_end(ASSERTION, line, expression);
}

API _Noreturn void __byway_unsupported(const char *what)
{
	__byway_native_end(UNSUPPORTED, 0, what);
}

API _Noreturn void __byway_exclude(void)
{
	__byway_native_end(EXCLUDED, 0, 0);
}

API _Noreturn void __byway_report(const char *message, const char *file, unsigned line)
{
	(void)file;
	__byway_native_end(REPORTED, line, message);
}

_Noreturn void __byway_native_missing(const char *name)
{
	__byway_native_end(UNSUPPORTED, 0, name);
}

_Noreturn void __byway_native_check_failed(const char *name)
{
	__byway_native_end(CHECK_FAILED, 0, name);
}

/* --- What is known and asked about input ------------------------------------------- */

API void __byway_assume(unsigned long condition)
{
	if (!condition) __byway_native_end(EXCLUDED, 0, 0);
}

API void __byway_prefer(unsigned long condition)
{
	(void)condition;
}

API int __byway_is_symbolic(unsigned long value)
{
	(void)value;
	return 0;
}

API unsigned long __byway_value(unsigned long value)
{
	return value;
}

API unsigned long __byway_each(unsigned long value)
{
	return value;
}

API unsigned long __byway_object_size(const void *pointer)
{
	if (!is_object(pointer)) __byway_native_end(UNABLE, 0, "the size of an object");
	return header_of((void *)pointer)->size;
}

/* Callers then search for the end of the object themselves. */
API unsigned long __byway_room(const void *pointer)
{
	(void)pointer;
	return 0;
}

API int __byway_exploring(void)
{
	return 1;
}

API int __byway_passed(const void *place)
{
	(void)place;
	return 1;
}

API long __byway_argument(const void *place)
{
	return *(const long *)place;
}

API void __byway_check_initialised(const void *pointer, unsigned long size)
{
	(void)pointer, (void)size;
}

API void __byway_check_access(const void *pointer, unsigned long size)
{
	for (unsigned long i = 0; i < size; i++) (void)((const volatile char *)pointer)[i];
}

API int __byway_same_object(const void *one, const void *other)
{
	(void)one, (void)other;
	return 0;
}

API void __byway_check_overlap(const void *to, unsigned long to_size, const void *from,
	unsigned long from_size)
{
	(void)to, (void)to_size, (void)from, (void)from_size;
}

API void __byway_check_leaks(void)
{
}

API void __byway_say(const char *text)
{
	(void)text;
}

API void __byway_say_term(const char *text, unsigned long value)
{
	(void)text, (void)value;
}

API void __byway_say_range(const char *text, unsigned long value)
{
	(void)text, (void)value;
}

API void __byway_warn(const char *what)
{
	(void)what;
}

API void __byway_forking(int on)
{
	(void)on;
}

/* An object that an earlier run of this process made is there already. */
API void __byway_fixed_object(void *address, unsigned long size)
{
	uint8_t *from = (uint8_t *)((uint64_t)address & -(uint64_t)PAGE);
	uint8_t *to = (uint8_t *)(((uint64_t)address + size + PAGE - 1) & -(uint64_t)PAGE);

	for (int i = 0; i < FIXED_OBJECTS; i++) {
		struct range *object = &STATE->fixed[i];
		if (object->from == from && object->to == to) {
			clear(from, to - from);
			return;
		}
		if (object->from) continue;
		long got = call(SYS_MMAP, (long)from, to - from, READ_WRITE, MAP_PAGES_NEW, -1, 0);
		if (got != (long)from) break;
		*object = (struct range){ from, to };
		if (!STATE->serving) STATE->unrepeatable = 1;
		return;
	}
	__byway_native_end(UNABLE, 0, "an object at a fixed address");
}

/* --- Constructors, destructors and jumps ------------------------------------------ */

typedef void initialiser(void);

extern initialiser *__init_array_start[] __attribute__((weak, visibility("hidden")));
extern initialiser *__init_array_end[] __attribute__((weak, visibility("hidden")));
extern initialiser *__fini_array_start[] __attribute__((weak, visibility("hidden")));
extern initialiser *__fini_array_end[] __attribute__((weak, visibility("hidden")));

API initialiser *__byway_ctor(int index)
{
	return index < __init_array_end - __init_array_start ? __init_array_start[index] : 0;
}

API initialiser *__byway_dtor(int index)
{
	return index < __fini_array_end - __fini_array_start ? __fini_array_end[-1 - index] : 0;
}

/* The buffer of the builtin is too small for all registers. */
API int __byway_builtin_setjmp(void *buffer)
{
	(void)buffer;
	__byway_native_end(UNABLE, 0, "__builtin_setjmp");
}

API void __byway_builtin_longjmp(void *buffer)
{
	(void)buffer;
	__byway_native_end(UNABLE, 0, "__builtin_longjmp");
}

__asm__(".text\n"
	".weak setjmp, _setjmp, sigsetjmp, __sigsetjmp, longjmp, _longjmp, siglongjmp\n"
	"setjmp:\n_setjmp:\nsigsetjmp:\n__sigsetjmp:\n"
	".globl __byway_native_mark\n__byway_native_mark:\n"
	"	mov %rbx, (%rdi)\n	mov %rbp, 8(%rdi)\n"
	"	mov %r12, 16(%rdi)\n	mov %r13, 24(%rdi)\n"
	"	mov %r14, 32(%rdi)\n	mov %r15, 40(%rdi)\n"
	"	lea 8(%rsp), %rdx\n	mov %rdx, 48(%rdi)\n"
	"	mov (%rsp), %rdx\n	mov %rdx, 56(%rdi)\n"
	"	xor %eax, %eax\n	ret\n"
	"longjmp:\n_longjmp:\nsiglongjmp:\n"
	".globl __byway_native_jump\n__byway_native_jump:\n"
	"	mov %esi, %eax\n	cmp $1, %eax\n	adc $0, %eax\n"
	"	mov (%rdi), %rbx\n	mov 8(%rdi), %rbp\n"
	"	mov 16(%rdi), %r12\n	mov 24(%rdi), %r13\n"
	"	mov 32(%rdi), %r14\n	mov 40(%rdi), %r15\n"
	"	mov 48(%rdi), %rsp\n	jmp *56(%rdi)\n");

#endif
