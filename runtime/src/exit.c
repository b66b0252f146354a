/* The end of a program: exit and the functions registered for it, abort and a failed
 * assertion.
 *
 * Every path passes here, most without anything to do. A call costs the engine more than
 * all else, so this file replaces musl's, which makes eleven calls to find that out. There is
 * one thread, so nothing is locked. */

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "engine.h"
#include "libc.h"
#include "signals.h"
#include "stdio_impl.h"
#include "streams.h"

void *__libc_calloc(size_t, size_t);

/* Functions registered for the end, the latest last. The first block needs no memory. */
struct exit_functions {
	struct exit_functions *earlier;
	int count;
	struct { void (*function)(void *); void *argument; } entries[32];
};

static struct exit_functions first, *latest;

int __cxa_atexit(void (*function)(void *), void *argument, void *library)
{
	enum { ROOM = sizeof first.entries / sizeof *first.entries };

	if (!latest) latest = &first;
	if (latest->count == ROOM) {
		struct exit_functions *new = __libc_calloc(1, sizeof *new);
		if (!new) return -1;
		new->earlier = latest;
		latest = new;
	}
	latest->entries[latest->count].function = function;
	latest->entries[latest->count++].argument = argument;
	return 0;
}

static void call(void *function)
{
	((void (*)(void))(uintptr_t)function)();
}

int atexit(void (*function)(void))
{
	return __cxa_atexit(call, (void *)(uintptr_t)function, 0);
}

/* Libraries are not unloaded. */
void __cxa_finalize(void *library)
{
}

/* A function may register others, which run next. */
static void run_exit_functions(void)
{
	for (; latest; latest = latest->earlier) {
		while (latest->count) {
			latest->count--;
			latest->entries[latest->count].function(latest->entries[latest->count].argument);
		}
	}
}

/* The files that fopen and similar functions opened. */
static FILE *open_files;

FILE **__ofl_lock(void)
{
	return &open_files;
}

void __ofl_unlock(void)
{
}

FILE *__ofl_add(FILE *file)
{
	file->next = open_files;
	if (open_files) open_files->prev = file;
	open_files = file;
	return file;
}

extern FILE *volatile __stdin_used, *volatile __stdout_used, *volatile __stderr_used;

/* Writes what is buffered, and gives back what was read too far. */
static inline void end_file(FILE *file)
{
	if (file->wpos != file->wbase) file->write(file, 0, 0);
	if (file->rpos != file->rend) file->seek(file, file->rpos - file->rend, SEEK_CUR);
}

void __stdio_exit(void)
{
	for (FILE *file = open_files; file; file = file->next) end_file(file);
	end_file(__stdin_used);
	end_file(__stdout_used);
	end_file(__stderr_used);
}

weak_alias(__stdio_exit, __stdio_exit_needed);

_Noreturn void exit(int code)
{
	void (*destructor)(void);

	if (latest) run_exit_functions();
	for (int i = 0; (destructor = __byway_dtor(i)); i++) destructor();
	__byway_streams_ended = 1;
	__stdio_exit();
	__byway_check_leaks();
	__byway_exit(code);
}

/* A handler for SIGABRT runs first, even if the signal is blocked; if it
 * returns, the program still dies. */
_Noreturn void abort(void)
{
	__byway_run_handler(SIGABRT);
	__byway_raise(SIGABRT);
}

_Noreturn void __assert_fail(const char *expression, const char *file, int line,
	const char *function)
{
	__byway_assert_fail(expression, file, line, function);
}
