/* Clocks: all of them read the engine's two clocks. */

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/time.h>
#include <sys/times.h>
#include "calls.h"
#include "engine.h"

enum { CLOCK_LIMIT = 12 };

static int is_clock(int clock)
{
	return clock >= 0 && clock < CLOCK_LIMIT;
}

static int is_time_of_day(int clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE
		|| clock == CLOCK_REALTIME_ALARM || clock == CLOCK_TAI;
}

long __byway_clock_gettime(int clock, struct timespec *out)
{
	long now[2];

	if (!is_clock(clock)) return -EINVAL;
	__byway_clock(is_time_of_day(clock) ? CLOCK_REALTIME : CLOCK_MONOTONIC, now);
	*out = (struct timespec){ .tv_sec = now[0], .tv_nsec = now[1] };
	return 0;
}

long __byway_clock_getres(int clock, struct timespec *out)
{
	if (!is_clock(clock)) return -EINVAL;
	if (out) *out = (struct timespec){ .tv_nsec = 1 };
	return 0;
}

long __byway_time_of_day(struct timeval *out)
{
	struct timespec now;

	__byway_clock_gettime(CLOCK_REALTIME, &now);
	if (out) *out = (struct timeval){ now.tv_sec, now.tv_nsec / 1000 };
	return 0;
}

long __byway_seconds(long *out)
{
	struct timespec now;

	__byway_clock_gettime(CLOCK_REALTIME, &now);
	if (out) *out = now.tv_sec;
	return now.tv_sec;
}

/* Process times in ticks, all of them user time. */
long __byway_process_times(struct tms *out)
{
	struct timespec now;

	__byway_clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	long ticks = now.tv_sec * 100 + now.tv_nsec / 10000000;
	if (out) *out = (struct tms){ .tms_utime = ticks };
	return ticks;
}

/* The kernel's structure, and glibc's, end where musl's reserved bytes begin. */
long __byway_usage(struct rusage *out)
{
	struct timespec now;

	__byway_clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	memset(out, 0, offsetof(struct rusage, __reserved));
	out->ru_utime = (struct timeval){ now.tv_sec, now.tv_nsec / 1000 };
	return 0;
}
