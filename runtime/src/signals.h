/* The program's own signals: the functions of src/signals.c for system calls. */
#ifndef BYWAY_SIGNALS_H
#define BYWAY_SIGNALS_H

#include <features.h>
#include <signal.h>
#include <time.h>

struct k_sigaction;
struct sigaltstack;

/* Runs the program's handler for this signal now, if it has one. */
hidden void __byway_run_handler(int signal);

/* The system calls of these names; the result or -errno. */
hidden long __byway_sigaction(int signal, const struct k_sigaction *new, struct k_sigaction *old);
hidden long __byway_sigprocmask(int how, const unsigned long *new, unsigned long *old);
hidden long __byway_sigpending(unsigned long *set);
hidden long __byway_sigaltstack(const struct sigaltstack *new, struct sigaltstack *old);
hidden long __byway_send_signal(int signal);
/* Whether the signal has a handler and is not blocked. */
hidden int __byway_is_caught(int signal);
/* 0 if no signal can arrive: the caller would wait for ever. */
hidden long __byway_pause(void);
hidden long __byway_sigsuspend(const unsigned long *mask);
hidden long __byway_sigtimedwait(const unsigned long *set, siginfo_t *info,
	const struct timespec *timeout);

#endif
