// Waiting for signals from the program's own timer, and for blocked signals.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int alarms, others;

static void on_alarm(int signal)
{
	alarms++;
	(void)signal;
}

static void on_other(int signal)
{
	others += signal == SIGUSR1;
}

static void say(const char *what, long result)
{
	printf("%s: %ld", what, result);
	if (result < 0) printf(" (%s)", strerror(errno));
	printf(", %d alarms, %d others\n", alarms, others);
}

static void set_timer(long microseconds, long interval)
{
	struct itimerval timer = { { 0, interval }, { 0, microseconds } };

	if (setitimer(ITIMER_REAL, &timer, 0)) perror("setitimer");
}

static void timers(void)
{
	struct timespec while_ = { 5, 0 }, moment = { 0, 1000 }, left;
	struct itimerval was;

	signal(SIGALRM, on_alarm);
	set_timer(20000, 0);
	say("pause", pause());
	set_timer(20000, 0);
	say("interrupted", nanosleep(&while_, &left));
	printf("%d\n", left.tv_sec == 4);
	set_timer(900000, 0);
	say("not interrupted", nanosleep(&moment, 0));
	say("alarm", alarm(100));
	say("off", alarm(0));
	say("off already", alarm(0));
	set_timer(20000, 20000);
	say("first", pause());
	say("second", pause());
	set_timer(0, 0);
	say("get", getitimer(ITIMER_REAL, &was));
	printf("%ld %ld\n", (long)was.it_value.tv_sec, (long)was.it_value.tv_usec);
	was.it_value.tv_usec = 1000000;
	say("no time", setitimer(ITIMER_REAL, &was, 0));
}

static void signals(void)
{
	sigset_t one, none, old;
	siginfo_t info;
	struct timespec moment = { 0, 1000 };

	signal(SIGUSR1, on_other);
	sigemptyset(&none);
	sigemptyset(&one);
	sigaddset(&one, SIGUSR1);
	sigprocmask(SIG_BLOCK, &one, &old);
	raise(SIGUSR1);
	say("blocked", 0);
	say("suspended", sigsuspend(&none));
	say("timed out", sigtimedwait(&one, &info, &moment));
	raise(SIGUSR1);
	say("taken", sigtimedwait(&one, &info, &moment) == SIGUSR1);
	printf("%d\n", info.si_signo == SIGUSR1);
	raise(SIGUSR1);
	say("waited for", sigwaitinfo(&one, 0) == SIGUSR1);
	sigprocmask(SIG_SETMASK, &old, 0);
	say("unblocked", 0);
	set_timer(20000, 0);
	say("suspended until the alarm", sigsuspend(&none));
}

int main(void)
{
	timers();
	signals();
	return 0;
}
