/* The system calls of musl, answered inside the program: nothing a program does
 * reaches the host but bytes on its standard streams, the time and its end.
 *
 * A call that is known to succeed, to fail or to have nothing to do says so here;
 * a call that cannot be answered fails with ENOSYS and is counted; a call whose
 * failure would send the program down a path that no real run takes (fork, exec)
 * ends the path. To add a call, see README.md. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include "calls.h"
#include "engine.h"
#include "features.h"
#include "signals.h"

/* Who the program is: an ordinary user's only process. */
enum { PID = 1000, PARENT_PID = 1, USER = 1000, GROUP = 1000, USUAL_UMASK = 022 };

static const char *const names[] = {
#include "syscall_names.h"
};

/* "system call NAME", in a buffer that the next call overwrites. */
static const char *describe(long number)
{
	static char text[64];
	unsigned long count = sizeof names / sizeof *names;

	if ((unsigned long)number < count && names[number]) {
		strlcpy(text, "system call ", sizeof text);
		strlcat(text, names[number], sizeof text);
	} else {
		snprintf(text, sizeof text, "system call %ld", number);
	}
	return text;
}

static long not_modelled(long number)
{
	__byway_warn(describe(number));
	return -ENOSYS;
}

static long send_signal(long process, int signal)
{
	if (process == PID || process == 0 || process == -1 || process == -PID)
		return __byway_send_signal(signal);
	return -ESRCH;
}

static long time_of_day(struct timeval *out)
{
	struct timespec now;

	__byway_clock_gettime(CLOCK_REALTIME, &now);
	if (out) *out = (struct timeval){ now.tv_sec, now.tv_nsec / 1000 };
	return 0;
}

static long seconds(long *out)
{
	struct timespec now;

	__byway_clock_gettime(CLOCK_REALTIME, &now);
	if (out) *out = now.tv_sec;
	return now.tv_sec;
}

/* Process times in ticks, all of them spent by the program itself. */
static long process_times(struct tms *out)
{
	struct timespec now;

	__byway_clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	long ticks = now.tv_sec * 100 + now.tv_nsec / 10000000;
	if (out) *out = (struct tms){ .tms_utime = ticks };
	return ticks;
}

static long usage(struct rusage *out)
{
	struct timespec now;

	__byway_clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	*out = (struct rusage){ .ru_utime = { now.tv_sec, now.tv_nsec / 1000 } };
	return 0;
}

static long file_status(int directory, const char *path, struct kstat *out, int flags)
{
	if (!(flags & AT_EMPTY_PATH) || *path) return not_modelled(SYS_newfstatat);
	return __byway_fd_stat(directory, out);
}

long __byway_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	switch (number) {
	/* Descriptors */
	case SYS_read: return __byway_fd_read(a, &(struct iovec){ (void *)b, c }, 1);
	case SYS_readv: return __byway_fd_read(a, (void *)b, c);
	case SYS_write: return __byway_fd_write(a, &(struct iovec){ (void *)b, c }, 1);
	case SYS_writev: return __byway_fd_write(a, (void *)b, c);
	case SYS_lseek: return __byway_fd_seek(a);
	case SYS_ioctl: return __byway_fd_ioctl(a);
	case SYS_fstat: return __byway_fd_stat(a, (void *)b);
	case SYS_newfstatat: return file_status(a, (void *)b, (void *)c, d);
	case SYS_fcntl: return __byway_fd_control(a, b, c);
	case SYS_close: return __byway_fd_close(a);
	case SYS_dup: return __byway_fd_duplicate(a, 0);
	case SYS_dup2: return __byway_fd_duplicate_to(a, b);
	case SYS_dup3: return a == b ? -EINVAL : __byway_fd_duplicate_to(a, b);
	case SYS_poll: return __byway_fd_poll((void *)a, b);
	case SYS_fsync:
	case SYS_fdatasync: return -EINVAL;

	/* Memory */
	case SYS_brk: return -ENOMEM;
	case SYS_mmap: return __byway_mmap(a, b, d);
	case SYS_munmap: return __byway_munmap(a);
	case SYS_mremap: return __byway_mremap((void *)a, b, c, d);
	case SYS_mprotect:
	case SYS_madvise:
	case SYS_mlock:
	case SYS_munlock:
	case SYS_mlockall:
	case SYS_munlockall: return 0;

	/* Time */
	case SYS_clock_gettime: return __byway_clock_gettime(a, (void *)b);
	case SYS_clock_getres: return __byway_clock_getres(a, (void *)b);
	case SYS_gettimeofday: return time_of_day((void *)a);
	case SYS_time: return seconds((void *)a);
	case SYS_times: return process_times((void *)a);
	case SYS_getrusage: return usage((void *)b);
	case SYS_nanosleep: return __byway_sleep((void *)b);
	case SYS_clock_nanosleep: return __byway_sleep((void *)d);

	/* Signals */
	case SYS_rt_sigaction: return __byway_sigaction(a, (void *)b, (void *)c);
	case SYS_rt_sigprocmask: return __byway_sigprocmask(a, (void *)b, (void *)c);
	case SYS_rt_sigpending: return __byway_sigpending((void *)a);
	case SYS_kill:
	case SYS_tkill: return send_signal(a, b);
	case SYS_tgkill: return send_signal(b, c);
	case SYS_sigaltstack: return 0;

	/* The process */
	case SYS_exit:
	case SYS_exit_group: __byway_exit(a);
	case SYS_getpid:
	case SYS_gettid:
	case SYS_getpgrp:
	case SYS_getpgid:
	case SYS_getsid:
	case SYS_set_tid_address: return PID;
	case SYS_getppid: return PARENT_PID;
	case SYS_getuid:
	case SYS_geteuid: return USER;
	case SYS_getgid:
	case SYS_getegid: return GROUP;
	case SYS_umask: return USUAL_UMASK;
	case SYS_wait4:
	case SYS_waitid: return -ECHILD;
	case SYS_sched_yield:
	case SYS_arch_prctl:
	case SYS_set_robust_list: return 0;
	case SYS_futex: return __byway_futex((void *)a, b, c, (void *)d);

	/* The machine */
	case SYS_uname: return __byway_uname((void *)a);
	case SYS_getrandom: return __byway_getrandom((void *)a, b);
	case SYS_getcwd: return __byway_getcwd((void *)a, b);
	case SYS_getrlimit: return __byway_getrlimit(a, (void *)b);
	case SYS_prlimit64:
		return c ? not_modelled(number) : __byway_getrlimit(b, (void *)d);
	case SYS_sched_getaffinity: return __byway_getaffinity(b, (void *)c);

	/* Other programs, and waiting for somebody else */
	case SYS_fork:
	case SYS_vfork:
	case SYS_clone:
	case SYS_clone3:
	case SYS_execve:
	case SYS_execveat:
	case SYS_ptrace:
	case SYS_socket:
	case SYS_socketpair:
	case SYS_pause:
	case SYS_rt_sigsuspend:
	case SYS_rt_sigtimedwait: __byway_unsupported(describe(number));

	default: return not_modelled(number);
	}
}
