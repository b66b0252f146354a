/* The machine that a program observes: one CPU, nothing random, the same in every
 * run and on every host. */

#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include "calls.h"
#include "engine.h"
#include "fs.h"
#include "futex.h"

long __byway_uname(struct utsname *out)
{
	*out = (struct utsname){
		.sysname = "Linux",
		.nodename = "byway",
		.release = "6.1.0",
		.version = "#1",
		.machine = "x86_64",
		.domainname = "(none)",
	};
	return 0;
}

/* Random numbers, equal in every run: a 64-bit xorshift generator. */
long __byway_getrandom(unsigned char *out, size_t count)
{
	static uint64_t state = 0x9e3779b97f4a7c15;

	for (size_t i = 0; i < count; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		out[i] = state >> 32;
	}
	return count;
}

/* Resource limits; those on descriptors and on file sizes are enforced. */
static struct rlimit limits[RLIMIT_NLIMITS] = {
	[0 ... RLIMIT_NLIMITS - 1] = { RLIM_INFINITY, RLIM_INFINITY },
	[RLIMIT_STACK] = { 8 << 20, 8 << 20 },
	[RLIMIT_NOFILE] = { BYWAY_DESCRIPTORS, BYWAY_DESCRIPTORS },
	[RLIMIT_CORE] = { 0, 0 },
};

long __byway_getrlimit(int resource, struct rlimit *out)
{
	if (resource < 0 || resource >= RLIMIT_NLIMITS) return -EINVAL;
	*out = limits[resource];
	return 0;
}

long __byway_setrlimit(int resource, const struct rlimit *new)
{
	if (resource < 0 || resource >= RLIMIT_NLIMITS || new->rlim_cur > new->rlim_max)
		return -EINVAL;
	if (new->rlim_max > limits[resource].rlim_max) return -EPERM;
	limits[resource] = *new;
	return 0;
}

unsigned long __byway_limit(int resource)
{
	return limits[resource].rlim_cur;
}

static int niceness;

/* The kernel returns 20 - nice: from 40 down to 1. */
long __byway_getpriority(void)
{
	return 20 - niceness;
}

/* An ordinary user can only raise the nice value. */
long __byway_setpriority(int nice)
{
	nice = nice < -20 ? -20 : nice > 19 ? 19 : nice;
	if (nice < niceness) return -EACCES;
	niceness = nice;
	return 0;
}

long __byway_prctl(int option, unsigned long argument)
{
	static char name[16] = "byway";
	static int dumpable = 1;

	switch (option) {
	case PR_SET_NAME:
		strlcpy(name, (const char *)argument, sizeof name);
		return 0;
	case PR_GET_NAME: memcpy((void *)argument, name, sizeof name); return 0;
	case PR_GET_DUMPABLE: return dumpable;
	case PR_SET_DUMPABLE:
		if (argument > 1) return -EINVAL;
		dumpable = argument;
		return 0;
	/* Options about children and executed programs have no effect. */
	case PR_SET_PDEATHSIG:
	case PR_SET_NO_NEW_PRIVS: return 0;
	default: return __byway_not_modelled("system call prctl: unknown option", -EINVAL);
	}
}

/* One GiB of memory, all of it free. The kernel's structure, and glibc's, has padding after
 * its last member and none of musl's reserved bytes. */
long __byway_sysinfo(struct sysinfo *out)
{
	enum { GIBIBYTE = 1 << 30, KERNEL_SIZE = 112 };
	struct sysinfo all = {
		.uptime = 1,
		.totalram = GIBIBYTE,
		.freeram = GIBIBYTE,
		.procs = 1,
		.mem_unit = 1,
	};

	memcpy(out, &all, KERNEL_SIZE);
	return 0;
}

long __byway_getaffinity(size_t size, unsigned char *mask)
{
	if (size < sizeof(long)) return -EINVAL;
	memset(mask, 0, sizeof(long));
	mask[0] = 1;
	return sizeof(long);
}

/* No other thread can change the word, so a wait that blocks never ends. */
long __byway_futex(const volatile int *word, int operation, int value, const void *timeout)
{
	switch (operation & ~FUTEX_PRIVATE) {
	case FUTEX_WAIT:
		if (*word != value) return -EAGAIN;
		if (timeout) return -ETIMEDOUT;
		__byway_unsupported("waiting for another thread (a deadlock: there is one thread)");
	case FUTEX_WAKE:
	case FUTEX_REQUEUE: return 0;
	default: return -ENOSYS;
	}
}
