/* The end of a program: exit, abort and a failed assertion. */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include "engine.h"
#include "libc.h"
#include "signals.h"
#include "stdio_impl.h"
#include "streams.h"

_Noreturn void exit(int code)
{
	void (*destructor)(void);

	__funcs_on_exit();
	for (int i = 0; (destructor = __byway_dtor(i)); i++) destructor();
	__byway_streams_end();
	__stdio_exit();
	__byway_check_leaks();
	_Exit(code);
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
