/* Sleeping, pausing, and the interval timer. Time does not advance by itself while a
 * program is explored, so the timer expires when the program waits: at once, as if the
 * time had passed. A program that does not wait is never interrupted. */

#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include "calls.h"
#include "signals.h"

/* Set by setitimer, and by alarm; zero when it is off. */
static struct itimerval timer;

static long nanoseconds(struct timeval time)
{
	return (time.tv_sec * 1000000 + time.tv_usec) * 1000;
}

static struct timeval as_time(long nanoseconds)
{
	return (struct timeval){ nanoseconds / 1000000000, nanoseconds / 1000 % 1000000 };
}

static void go_off(void)
{
	timer.it_value = timer.it_interval;
	__byway_send_signal(SIGALRM);
}

static int is_time(struct timeval time)
{
	return time.tv_sec >= 0 && time.tv_usec >= 0 && time.tv_usec < 1000000;
}

long __byway_getitimer(int which, struct itimerval *out)
{
	if (which != ITIMER_REAL)
		return __byway_not_modelled("system call getitimer: time spent computing", -EINVAL);
	*out = timer;
	return 0;
}

long __byway_setitimer(int which, const struct itimerval *new, struct itimerval *old)
{
	if (which != ITIMER_REAL)
		return __byway_not_modelled("system call setitimer: time spent computing", -EINVAL);
	if (new && (!is_time(new->it_value) || !is_time(new->it_interval))) return -EINVAL;
	if (old) *old = timer;
	timer = new ? *new : (struct itimerval){ 0 };
	return 0;
}

/* For the requested time, or until the timer expires. */
long __byway_sleep(const struct timespec *wanted, struct timespec *remaining)
{
	long left = nanoseconds(timer.it_value);
	long whole = wanted->tv_sec * 1000000000 + wanted->tv_nsec;

	if (wanted->tv_sec < 0 || wanted->tv_nsec < 0 || wanted->tv_nsec > 999999999) return -EINVAL;
	if (left && left <= whole && __byway_is_caught(SIGALRM)) {
		go_off();
		whole -= left;
		if (remaining)
			*remaining = (struct timespec){ whole / 1000000000, whole % 1000000000 };
		return -EINTR;
	}
	if (left && left <= whole) go_off();
	else if (left) timer.it_value = as_time(left - whole);
	if (remaining) *remaining = (struct timespec){ 0 };
	return 0;
}

/* Whether a timer was running. */
int __byway_wait_for_timer(void)
{
	if (!nanoseconds(timer.it_value) || !__byway_is_caught(SIGALRM)) return 0;
	go_off();
	return 1;
}
