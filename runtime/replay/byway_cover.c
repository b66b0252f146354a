/* Saves the counters of an instrumented program at every kind of exit.
 *
 * gcov's counters are written by destructors, which run when a program returns from
 * main or calls exit. A test may also end in a fault, in abort or in _exit: this file
 * makes the destructors run then too. It is linked into a program, or preloaded into an
 * existing executable; it finds the destructors in the same way.
 *
 * BYWAY_COVER_SECONDS is the time after which the program is ended and its counters are
 * saved, shortly before the harness would kill it.
 *
 * Counters are lost if a program is killed by SIGKILL, handles the signals below itself
 * and does not return from main, or has memory so damaged that writing the counters
 * fails. */

#define _GNU_SOURCE

#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The exit of a program that ran out of time. */
#define EXIT_LATE 117

typedef void destructor(void);

static int run_destructors(struct dl_phdr_info *info, size_t size, void *unused)
{
	const ElfW(Dyn) *dynamic = NULL;
	(void)size;
	(void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			dynamic = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
	}
	if (!dynamic) return 1;
	destructor **array = NULL;
	size_t count = 0;
	for (; dynamic->d_tag != DT_NULL; dynamic++) {
		if (dynamic->d_tag == DT_FINI_ARRAY)
			array = (destructor **)(info->dlpi_addr + dynamic->d_un.d_ptr);
		if (dynamic->d_tag == DT_FINI_ARRAYSZ) count = dynamic->d_un.d_val / sizeof *array;
	}
	while (array && count--) array[count]();
	/* The first entry is the program itself; the others are not needed. */
	return 1;
}

static void save(void)
{
	static volatile int saved;
	if (saved) return;
	saved = 1;
	dl_iterate_phdr(run_destructors, NULL);
}

static void on_end(int number)
{
	save();
	signal(number, SIG_DFL);
	raise(number);
}

static void on_late(int number)
{
	(void)number;
	save();
	syscall(SYS_exit_group, EXIT_LATE);
}

static void handle(int number, void (*handler)(int), int flags)
{
	struct sigaction action;
	memset(&action, 0, sizeof action);
	action.sa_handler = handler;
	action.sa_flags = flags;
	sigemptyset(&action.sa_mask);
	sigaction(number, &action, NULL);
}

static void watch_clock(const char *seconds)
{
	timer_t timer;
	struct sigevent event;
	struct itimerspec when;
	memset(&event, 0, sizeof event);
	memset(&when, 0, sizeof when);
	event.sigev_notify = SIGEV_SIGNAL;
	event.sigev_signo = SIGRTMAX;
	when.it_value.tv_sec = atol(seconds);
	handle(SIGRTMAX, on_late, SA_ONSTACK);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) timer_settime(timer, 0, &when, NULL);
}

__attribute__((constructor)) static void prepare(void)
{
	/* All signals whose default action ends the program. */
	static const int signals[] = { SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,  SIGTRAP, SIGABRT,
		                       SIGSYS,  SIGTERM, SIGINT,  SIGHUP,  SIGQUIT, SIGPIPE,
		                       SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ };
	/* After a stack overflow, the handler needs a stack of its own. */
	static char room[1 << 16];
	stack_t stack = { .ss_sp = room, .ss_size = sizeof room };
	sigaltstack(&stack, NULL);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		handle(signals[i], on_end, SA_ONSTACK | SA_NODEFER);
	const char *seconds = getenv("BYWAY_COVER_SECONDS");
	if (seconds && *seconds) watch_clock(seconds);
	unsetenv("BYWAY_COVER_SECONDS");
	unsetenv("LD_PRELOAD");
}

_Noreturn void _exit(int code)
{
	save();
	for (;;) syscall(SYS_exit_group, code);
}

_Noreturn void _Exit(int code)
{
	_exit(code);
}
