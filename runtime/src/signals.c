/* Signals a program sends to itself. Handlers and the mask are recorded, a
 * signal is delivered at once or when it is unblocked, and one without a handler
 * does what Linux does: nothing, or the end of the program. Signals from outside
 * do not exist, and a memory fault is a finding of the engine, not a SIGSEGV. */

#include <errno.h>
#include <signal.h>
#include <ucontext.h>
#include "calls.h"
#include "engine.h"
#include "pthread_impl.h"
#include "ksigaction.h"
#include "signals.h"

static struct k_sigaction actions[_NSIG];
static unsigned long blocked, pending;

static unsigned long bit(int signal)
{
	return 1UL << (signal - 1);
}

static unsigned long mask_of(const struct k_sigaction *action)
{
	return action->mask[0] | (unsigned long)action->mask[1] << 32;
}

static int is_valid(int signal)
{
	return signal > 0 && signal < _NSIG;
}

static int is_unmaskable(int signal)
{
	return signal == SIGKILL || signal == SIGSTOP;
}

static int is_ignored_by_default(int signal)
{
	return signal == SIGCHLD || signal == SIGCONT || signal == SIGURG || signal == SIGWINCH;
}

static int stops_by_default(int signal)
{
	return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

static void call_with_info(struct k_sigaction *action, int signal)
{
	siginfo_t info = { .si_signo = signal, .si_code = SI_TKILL };
	ucontext_t context = { 0 };

	info.si_pid = __byway_thread.tid;
	context.uc_sigmask.__bits[0] = blocked;
	((void (*)(int, siginfo_t *, void *))action->handler)(signal, &info, &context);
}

void __byway_run_handler(int signal)
{
	struct k_sigaction action = actions[signal];
	unsigned long before = blocked;

	if (action.handler == SIG_DFL || action.handler == SIG_IGN) return;
	if (action.flags & SA_RESETHAND) actions[signal].handler = SIG_DFL;
	blocked |= mask_of(&action);
	if (!(action.flags & SA_NODEFER)) blocked |= bit(signal);
	if (action.flags & SA_SIGINFO) call_with_info(&action, signal);
	else action.handler(signal);
	blocked = before;
}

static void deliver(int signal)
{
	void (*handler)(int) = actions[signal].handler;

	if (handler == SIG_IGN) return;
	if (handler != SIG_DFL) __byway_run_handler(signal);
	else if (stops_by_default(signal)) __byway_unsupported("a signal that stops the program");
	else if (!is_ignored_by_default(signal)) __byway_raise(signal);
}

int __byway_is_caught(int signal)
{
	void (*handler)(int) = actions[signal].handler;

	return handler != SIG_DFL && handler != SIG_IGN && !(blocked & bit(signal));
}

/* The number of handlers that ran. */
static int deliver_unblocked(void)
{
	int handled = 0;

	while (pending & ~blocked) {
		int signal = __builtin_ctzl(pending & ~blocked) + 1;
		pending &= ~bit(signal);
		handled += __byway_is_caught(signal);
		deliver(signal);
	}
	return handled;
}

long __byway_send_signal(int signal)
{
	if (signal == 0) return 0;
	if (!is_valid(signal)) return -EINVAL;
	pending |= bit(signal);
	deliver_unblocked();
	return 0;
}

long __byway_sigaction(int signal, const struct k_sigaction *new, struct k_sigaction *old)
{
	if (!is_valid(signal) || (new && is_unmaskable(signal))) return -EINVAL;
	if (old) *old = actions[signal];
	if (new) actions[signal] = *new;
	return 0;
}

long __byway_sigprocmask(int how, const unsigned long *new, unsigned long *old)
{
	unsigned long before = blocked;

	if (new) {
		if (how == SIG_BLOCK) blocked |= *new;
		else if (how == SIG_UNBLOCK) blocked &= ~*new;
		else if (how == SIG_SETMASK) blocked = *new;
		else return -EINVAL;
		blocked &= ~(bit(SIGKILL) | bit(SIGSTOP));
	}
	if (old) *old = before;
	deliver_unblocked();
	return 0;
}

long __byway_pause(void)
{
	return __byway_wait_for_timer() ? -EINTR : 0;
}

/* Waits with this mask until a handler has run. */
long __byway_sigsuspend(const unsigned long *mask)
{
	unsigned long before = blocked;

	blocked = *mask & ~(bit(SIGKILL) | bit(SIGSTOP));
	int handled = deliver_unblocked() || __byway_wait_for_timer();
	blocked = before;
	deliver_unblocked();
	return handled ? -EINTR : 0;
}

/* Accepts a pending signal; only blocked signals are pending. */
long __byway_sigtimedwait(const unsigned long *set, siginfo_t *info,
	const struct timespec *timeout)
{
	unsigned long waiting = pending & *set;

	if (!waiting) return timeout ? -EAGAIN : 0;
	int signal = __builtin_ctzl(waiting) + 1;
	pending &= ~bit(signal);
	if (info) {
		*info = (siginfo_t){ .si_signo = signal, .si_code = SI_TKILL };
		info->si_pid = __byway_thread.tid;
	}
	return signal;
}

long __byway_sigpending(unsigned long *set)
{
	*set = pending;
	return 0;
}

/* Handlers run on the normal stack; the alternate one is only recorded. */
long __byway_sigaltstack(const struct sigaltstack *new, struct sigaltstack *old)
{
	static struct sigaltstack stack = { .ss_flags = SS_DISABLE };
	struct sigaltstack before = stack;

	if (new && new->ss_flags & ~SS_DISABLE) return -EINVAL;
	if (new && !(new->ss_flags & SS_DISABLE) && new->ss_size < MINSIGSTKSZ) return -ENOMEM;
	if (new) stack = *new;
	if (old) *old = before;
	return 0;
}
