/* The system calls of musl, implemented inside the program: only bytes on its
 * standard streams, the time, visible host files and its exit involve the
 * host.
 *
 * A call with a known result (success, failure, no effect) is modelled here; a
 * call without a model fails with ENOSYS and is counted; so is one that needs another
 * process or machine, with the error of a system that has none to give. To add a call,
 * see README.md. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include "calls.h"
#include "engine.h"
#include "fs.h"
#include "signals.h"
#include "symbolic_input.h"

/* The ids of the program: the only process of an ordinary user. */
enum { PID = 1000, PARENT_PID = 1 };

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

int __byway_end_unmodelled;

/* Handles every call without a faithful model. */
long __byway_not_modelled(const char *what, long error)
{
	if (__byway_end_unmodelled) __byway_unsupported(what);
	__byway_warn(what);
	return error;
}

static long send_signal(long process, int signal)
{
	/* -1 means all other processes. */
	if (process == PID || process == 0 || process == -PID)
		return __byway_send_signal(signal);
	return -ESRCH;
}

/* Three ids at once: real, effective and saved. */
static long three(unsigned id, unsigned *real, unsigned *effective, unsigned *saved)
{
	*real = *effective = *saved = id;
	return 0;
}

/* A user can only set their own id; -1 leaves an id unchanged. */
static long become(unsigned own, unsigned a, unsigned b, unsigned c)
{
	const unsigned as_it_is = -1;

	return (a == own || a == as_it_is) && (b == own || b == as_it_is)
		&& (c == own || c == as_it_is) ? 0 : -EPERM;
}

static long groups(int size, unsigned *out)
{
	if (size < 0) return -EINVAL;
	if (size) out[0] = BYWAY_GROUP;
	return 1;
}

static long limits(int resource, const struct rlimit *new, struct rlimit *old)
{
	long error = old ? __byway_getrlimit(resource, old) : 0;

	return error || !new ? error : __byway_setrlimit(resource, new);
}

static long positioned(long (*move)(int, const struct iovec *, int, long), int fd,
	const struct iovec *parts, int count, long offset)
{
	return offset < 0 ? -EINVAL : move(fd, parts, count, offset);
}

/* Calls on open descriptors. */
static long descriptor_call(long number, long a, long b, long c, long d, int *known)
{
	struct iovec whole = { (void *)b, c };
	const int own_offset = -1;

	switch (number) {
	case SYS_read: return __byway_fd_read(a, &whole, 1, own_offset);
	case SYS_readv: return __byway_fd_read(a, (void *)b, c, own_offset);
	case SYS_pread64: return positioned(__byway_fd_read, a, &whole, 1, d);
	case SYS_preadv: return positioned(__byway_fd_read, a, (void *)b, c, d);
	case SYS_write: return __byway_fd_write(a, &whole, 1, own_offset);
	case SYS_writev: return __byway_fd_write(a, (void *)b, c, own_offset);
	case SYS_pwrite64: return positioned(__byway_fd_write, a, &whole, 1, d);
	case SYS_pwritev: return positioned(__byway_fd_write, a, (void *)b, c, d);
	case SYS_lseek: return __byway_fd_seek(a, b, c);
	case SYS_ioctl: return __byway_fd_ioctl(a, b, (void *)c);
	case SYS_getdents64: return __byway_fd_list(a, (void *)b, c);
	case SYS_fcntl: return __byway_fd_control(a, b, c);
	case SYS_close: return __byway_fd_close(a);
	case SYS_dup: return __byway_fd_duplicate(a, 0, 0);
	case SYS_dup2: return __byway_fd_duplicate_to(a, b, 0);
	case SYS_dup3:
		return a == b ? -EINVAL : __byway_fd_duplicate_to(a, b, c & O_CLOEXEC ? FD_CLOEXEC : 0);
	case SYS_pipe: return __byway_fd_pipe((void *)a, 0);
	case SYS_pipe2: return __byway_fd_pipe((void *)a, b);
	case SYS_poll: return __byway_fd_poll((void *)a, b, (int)c < 0);
	case SYS_ppoll: return __byway_fd_poll((void *)a, b, !c);
	case SYS_fsync:
	case SYS_fdatasync:
	case SYS_syncfs: return __byway_fsync(a);
	case SYS_flock:
	case SYS_fadvise64: return __byway_fd_file(a) ? 0 : -EBADF;
	/* No descriptor is a socket. */
	case SYS_connect:
	case SYS_bind:
	case SYS_listen:
	case SYS_accept:
	case SYS_accept4:
	case SYS_shutdown:
	case SYS_getsockname:
	case SYS_getpeername:
	case SYS_getsockopt:
	case SYS_setsockopt:
	case SYS_sendto:
	case SYS_recvfrom:
	case SYS_sendmsg:
	case SYS_recvmsg: return __byway_fd_file(a) ? -ENOTSOCK : -EBADF;
	/* Programs fall back to copying by reading and writing. */
	case SYS_sendfile:
	case SYS_copy_file_range: return -EINVAL;
	default: *known = 0; return 0;
	}
}

/* Calls on files by path. */
static long file_call(long number, long a, long b, long c, long d, long e, int *known)
{
	switch (number) {
	case SYS_open: return __byway_open(AT_FDCWD, (void *)a, b, c);
	case SYS_openat: return __byway_open(a, (void *)b, c, d);
	case SYS_creat: return __byway_open(AT_FDCWD, (void *)a, O_CREAT | O_WRONLY | O_TRUNC, b);
	case SYS_stat: return __byway_stat(AT_FDCWD, (void *)a, (void *)b, 0);
	case SYS_lstat: return __byway_stat(AT_FDCWD, (void *)a, (void *)b, AT_SYMLINK_NOFOLLOW);
	case SYS_fstat: return __byway_stat(a, "", (void *)b, AT_EMPTY_PATH);
	case SYS_newfstatat: return __byway_stat(a, (void *)b, (void *)c, d);
	case SYS_statx: return __byway_statx(a, (void *)b, c, (void *)e);
	case SYS_access: return __byway_access(AT_FDCWD, (void *)a, b, 0);
	case SYS_faccessat: return __byway_access(a, (void *)b, c, 0);
	case SYS_faccessat2: return __byway_access(a, (void *)b, c, d);
	case SYS_chmod: return __byway_chmod(AT_FDCWD, (void *)a, b, 0);
	case SYS_fchmod: return __byway_chmod(a, "", b, AT_EMPTY_PATH);
	case SYS_fchmodat: return __byway_chmod(a, (void *)b, c, 0);
	case SYS_chown: return __byway_chown(AT_FDCWD, (void *)a, b, c, 0);
	case SYS_lchown: return __byway_chown(AT_FDCWD, (void *)a, b, c, AT_SYMLINK_NOFOLLOW);
	case SYS_fchown: return __byway_chown(a, "", b, c, AT_EMPTY_PATH);
	case SYS_fchownat: return __byway_chown(a, (void *)b, c, d, e);
	case SYS_utimensat: return __byway_utimens(a, (void *)b, (void *)c, d);
	case SYS_truncate: return __byway_truncate((void *)a, b);
	case SYS_ftruncate: return __byway_ftruncate(a, b);
	case SYS_fallocate: return __byway_fallocate(a, b, c, d);
	case SYS_mkdir: return __byway_mkdir(AT_FDCWD, (void *)a, b);
	case SYS_mkdirat: return __byway_mkdir(a, (void *)b, c);
	case SYS_mknod: return __byway_mknod(AT_FDCWD, (void *)a, b);
	case SYS_mknodat: return __byway_mknod(a, (void *)b, c);
	case SYS_rmdir: return __byway_unlink(AT_FDCWD, (void *)a, AT_REMOVEDIR);
	case SYS_unlink: return __byway_unlink(AT_FDCWD, (void *)a, 0);
	case SYS_unlinkat: return __byway_unlink(a, (void *)b, c);
	case SYS_rename: return __byway_rename(AT_FDCWD, (void *)a, AT_FDCWD, (void *)b, 0);
	case SYS_renameat: return __byway_rename(a, (void *)b, c, (void *)d, 0);
	case SYS_renameat2: return __byway_rename(a, (void *)b, c, (void *)d, e);
	case SYS_link: return __byway_link(AT_FDCWD, (void *)a, AT_FDCWD, (void *)b, 0);
	case SYS_linkat: return __byway_link(a, (void *)b, c, (void *)d, e);
	case SYS_symlink: return __byway_symlink((void *)a, AT_FDCWD, (void *)b);
	case SYS_symlinkat: return __byway_symlink((void *)a, b, (void *)c);
	case SYS_readlink: return __byway_readlink(AT_FDCWD, (void *)a, (void *)b, c);
	case SYS_readlinkat: return __byway_readlink(a, (void *)b, (void *)c, d);
	case SYS_chdir: return __byway_chdir((void *)a);
	case SYS_fchdir: return __byway_fchdir(a);
	case SYS_getcwd: return __byway_getcwd((void *)a, b);
	case SYS_umask: return __byway_umask(a);
	case SYS_statfs: return __byway_statfs((void *)a, (void *)b);
	case SYS_fstatfs: return __byway_fstatfs(a, (void *)b);
	case SYS_sync: return 0;
	case SYS_getxattr:
	case SYS_lgetxattr:
	case SYS_fgetxattr:
	case SYS_listxattr:
	case SYS_llistxattr:
	case SYS_flistxattr:
	case SYS_setxattr:
	case SYS_lsetxattr:
	case SYS_fsetxattr:
	case SYS_removexattr:
	case SYS_lremovexattr:
	case SYS_fremovexattr: return -EOPNOTSUPP;
	case SYS_chroot:
	case SYS_mount:
	case SYS_umount2:
	case SYS_swapon:
	case SYS_swapoff: return -EPERM;
	default: *known = 0; return 0;
	}
}

/* Sleeps until a time, or for a duration. */
static long clock_sleep(int flags, const struct timespec *time, struct timespec *remaining)
{
	struct timespec none = { 0 };

	return flags & TIMER_ABSTIME ? __byway_sleep(&none, 0) : __byway_sleep(time, remaining);
}

/* The remaining seconds, rounded up. */
static long alarm_in(unsigned seconds)
{
	struct itimerval new = { .it_value.tv_sec = seconds }, old;

	__byway_setitimer(ITIMER_REAL, &new, &old);
	return old.it_value.tv_sec + !!old.it_value.tv_usec;
}

/* Without a result, the call would wait for ever. */
static long or_for_ever(long result, long number)
{
	if (!result) __byway_unsupported(describe(number));
	return result;
}

/* Time and signals. */
static long event_call(long number, long a, long b, long c, long d, int *known)
{
	switch (number) {
	case SYS_clock_gettime: return __byway_clock_gettime(a, (void *)b);
	case SYS_clock_getres: return __byway_clock_getres(a, (void *)b);
	case SYS_gettimeofday: return __byway_time_of_day((void *)a);
	case SYS_time: return __byway_seconds((void *)a);
	case SYS_times: return __byway_process_times((void *)a);
	case SYS_getrusage: return __byway_usage((void *)b);
	case SYS_nanosleep: return __byway_sleep((void *)a, (void *)b);
	case SYS_clock_nanosleep: return clock_sleep(b, (void *)c, (void *)d);
	case SYS_getitimer: return __byway_getitimer(a, (void *)b);
	case SYS_setitimer: return __byway_setitimer(a, (void *)b, (void *)c);
	case SYS_alarm: return alarm_in(a);
	case SYS_settimeofday:
	case SYS_clock_settime:
	case SYS_adjtimex: return -EPERM;
	case SYS_rt_sigaction: return __byway_sigaction(a, (void *)b, (void *)c);
	case SYS_rt_sigprocmask: return __byway_sigprocmask(a, (void *)b, (void *)c);
	case SYS_rt_sigpending: return __byway_sigpending((void *)a);
	case SYS_pause: return or_for_ever(__byway_pause(), number);
	case SYS_rt_sigsuspend: return or_for_ever(__byway_sigsuspend((void *)a), number);
	case SYS_rt_sigtimedwait:
		return or_for_ever(__byway_sigtimedwait((void *)a, (void *)b, (void *)c), number);
	case SYS_kill:
	case SYS_tkill: return send_signal(a, b);
	case SYS_tgkill: return send_signal(b, c);
	case SYS_sigaltstack: return __byway_sigaltstack((void *)a, (void *)b);
	default: *known = 0; return 0;
	}
}

static long first_cpu(unsigned *cpu, unsigned *node)
{
	if (cpu) *cpu = 0;
	if (node) *node = 0;
	return 0;
}

/* The process, its memory and the machine. */
static long process_call(long number, long a, long b, long c, long d, long e, long f, int *known)
{
	switch (number) {
	case SYS_brk: return -ENOMEM;
	case SYS_mmap: return __byway_mmap(a, b, c, d, e, f);
	case SYS_munmap: return __byway_munmap(a, b);
	case SYS_mremap: return __byway_mremap(a, b, c, d);
	case SYS_mprotect: return __byway_mprotect(a, b, c);
	case SYS_msync: return __byway_msync(a, b, c);
	case SYS_mincore: return __byway_mincore(a, b, (unsigned char *)c);
	case SYS_madvise:
	case SYS_mlock:
	case SYS_munlock:
	case SYS_mlockall:
	case SYS_munlockall: return 0;
	case SYS_exit:
	case SYS_exit_group: __byway_exit(a);
	case SYS_getpid:
	case SYS_gettid:
	case SYS_getpgrp:
	case SYS_getpgid:
	case SYS_getsid:
	case SYS_set_tid_address: return PID;
	case SYS_getppid: return PARENT_PID;
	case SYS_setpgid: return 0;
	case SYS_setsid: return -EPERM;
	case SYS_getuid:
	case SYS_geteuid: return BYWAY_USER;
	case SYS_getgid:
	case SYS_getegid: return BYWAY_GROUP;
	case SYS_getresuid: return three(BYWAY_USER, (void *)a, (void *)b, (void *)c);
	case SYS_getresgid: return three(BYWAY_GROUP, (void *)a, (void *)b, (void *)c);
	case SYS_setuid: return become(BYWAY_USER, a, a, a);
	case SYS_setreuid: return become(BYWAY_USER, a, b, b);
	case SYS_setresuid: return become(BYWAY_USER, a, b, c);
	case SYS_setgid: return become(BYWAY_GROUP, a, a, a);
	case SYS_setregid: return become(BYWAY_GROUP, a, b, b);
	case SYS_setresgid: return become(BYWAY_GROUP, a, b, c);
	case SYS_getgroups: return groups(a, (void *)b);
	case SYS_setgroups:
	case SYS_sethostname: return -EPERM;
	case SYS_getpriority: return __byway_getpriority();
	case SYS_setpriority: return __byway_setpriority(c);
	case SYS_prctl: return __byway_prctl(a, b);
	case SYS_sched_setaffinity: return *(unsigned char *)c & 1 ? 0 : -EINVAL;
	case SYS_getcpu: return first_cpu((void *)a, (void *)b);
	case SYS_sched_yield:
	case SYS_arch_prctl:
	case SYS_set_robust_list: return 0;
	case SYS_futex: return __byway_futex((void *)a, b, c, (void *)d);
	case SYS_uname: return __byway_uname((void *)a);
	case SYS_sysinfo: return __byway_sysinfo((void *)a);
	case SYS_getrandom: return __byway_getrandom((void *)a, b);
	case SYS_getrlimit: return __byway_getrlimit(a, (void *)b);
	case SYS_setrlimit: return __byway_setrlimit(a, (void *)b);
	case SYS_prlimit64: return a && a != PID ? -ESRCH : limits(b, (void *)c, (void *)d);
	case SYS_sched_getaffinity: return __byway_getaffinity(b, (void *)c);
	default: *known = 0; return 0;
	}
}

/* Calls that need other processes, programs or machines. */
static long outside_call(long number, long a, long b, long c, long d, long e, int *known)
{
	switch (number) {
	case SYS_fork:
	case SYS_vfork:
	case SYS_clone:
	case SYS_clone3: return __byway_no_process(describe(number));
	case SYS_execve: return __byway_exec(AT_FDCWD, (void *)a, 0);
	case SYS_execveat: return __byway_exec(a, (void *)b, e);
	case SYS_wait4:
	case SYS_waitid: return -ECHILD;
	/* As where tracing is forbidden. */
	case SYS_ptrace: return __byway_not_modelled(describe(number), -EPERM);
	case SYS_socket:
	case SYS_socketpair: return __byway_no_socket(describe(number));
	default: *known = 0; return 0;
	}
}

long __byway_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	int known = 1;
	long result;

	if (number == SYS_select || number == SYS_pselect6)
		return __byway_fd_select(a, (void *)b, (void *)c, (void *)d, !e);
	result = __byway_failure(number);
	if (result) return result;
	result = descriptor_call(number, a, b, c, d, &known);
	if (known) return result;
	known = 1;
	result = file_call(number, a, b, c, d, e, &known);
	if (known) return result;
	known = 1;
	result = event_call(number, a, b, c, d, &known);
	if (known) return result;
	known = 1;
	result = process_call(number, a, b, c, d, e, f, &known);
	if (known) return result;
	known = 1;
	result = outside_call(number, a, b, c, d, e, &known);
	if (known) return result;
	return __byway_not_modelled(describe(number), -ENOSYS);
}
