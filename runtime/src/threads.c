/* One thread: the functions that musl's thread code requires. Starting a second
 * thread ends the path: unlike a process, it usually does the program's own work, and
 * what the program does without it shows nothing but how it reports the error. */

#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include "calls.h"
#include "engine.h"
#include "libc.h"
#include "pthread_impl.h"
#include "syscall.h"

int __pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
	void *(*entry)(void *), void *restrict argument)
{
	__byway_unsupported("a second thread (pthread_create)");
}

weak_alias(__pthread_create, pthread_create);

int pthread_cancel(pthread_t thread)
{
	__byway_unsupported("cancelling a thread (pthread_cancel)");
}

/* Returns -errno, as musl's version does. */
int __clone(int (*function)(void *), void *stack, int flags, void *argument, ...)
{
	if (flags & CLONE_THREAD) __byway_unsupported("a second thread (clone)");
	return __byway_no_process("another process (clone)");
}

int clone(int (*function)(void *), void *stack, int flags, void *argument, ...)
{
	return __syscall_ret(__clone(function, stack, flags, argument));
}

/* Thread-local objects are ordinary objects of the engine. */
void __reset_tls(void)
{
}

void __do_cleanup_push(struct __ptcb *handler)
{
	handler->__next = __byway_thread.cancelbuf;
	__byway_thread.cancelbuf = handler;
}

void __do_cleanup_pop(struct __ptcb *handler)
{
	__byway_thread.cancelbuf = handler->__next;
}

/* The exit of the last thread ends the program. */
_Noreturn void __pthread_exit(void *result)
{
	struct __ptcb *handler;

	while ((handler = __byway_thread.cancelbuf)) {
		__byway_thread.cancelbuf = handler->__next;
		handler->__f(handler->__x);
	}
	__pthread_tsd_run_dtors();
	exit(0);
}

weak_alias(__pthread_exit, pthread_exit);

/* Nothing is ever cancelled, so a cancellation point is a plain system call. */
long (__syscall_cp)(syscall_arg_t number, syscall_arg_t a, syscall_arg_t b, syscall_arg_t c,
	syscall_arg_t d, syscall_arg_t e, syscall_arg_t f)
{
	return __byway_syscall(number, a, b, c, d, e, f);
}
