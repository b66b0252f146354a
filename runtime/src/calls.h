/* System calls that take more than a line in src/syscall.c. Each returns what
 * the kernel would: a result or -errno. */
#ifndef BYWAY_CALLS_H
#define BYWAY_CALLS_H

#include <features.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sysinfo.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>

struct kstat;
struct statfs;
struct statx_fields;
struct itimerval;
struct tms;

/* Returns the error and counts the unmodelled call for the summary; or ends the path,
 * if the user requested that. src/syscall.c */
hidden long __byway_not_modelled(const char *what, long error);
extern hidden int __byway_end_unmodelled;

/* src/descriptors.c; a negative offset means the file's own. */
hidden long __byway_fd_read(int fd, const struct iovec *parts, int count, long offset);
hidden long __byway_fd_write(int fd, const struct iovec *parts, int count, long offset);
hidden long __byway_fd_seek(int fd, long offset, int whence);
hidden long __byway_fd_ioctl(int fd, int request, void *argument);
hidden long __byway_fd_list(int fd, void *out, size_t size);
hidden long __byway_fd_control(int fd, int command, long argument);
hidden long __byway_fd_close(int fd);
hidden long __byway_fd_duplicate(int fd, int lowest, int close_on_exec);
hidden long __byway_fd_duplicate_to(int fd, int to, int close_on_exec);
hidden long __byway_fd_pipe(int ends[2], int flags);
hidden long __byway_fd_poll(struct pollfd *fds, unsigned long count, int waits_for_ever);
hidden long __byway_fd_select(int count, fd_set *readers, fd_set *writers, fd_set *others,
	int waits_for_ever);

/* src/names.c; a start is a directory's descriptor or AT_FDCWD. */
hidden mode_t __byway_umask(mode_t mask);
hidden long __byway_open(int start, const char *path, int flags, mode_t mode);
hidden long __byway_mkdir(int start, const char *path, mode_t mode);
hidden long __byway_mknod(int start, const char *path, mode_t mode);
hidden long __byway_symlink(const char *target, int start, const char *path);
hidden long __byway_readlink(int start, const char *path, char *out, size_t size);
hidden long __byway_link(int from, const char *old, int to, const char *new, int flags);
hidden long __byway_unlink(int start, const char *path, int flags);
hidden long __byway_rename(int from, const char *old, int to, const char *new, unsigned flags);
hidden long __byway_chdir(const char *path);
hidden long __byway_fchdir(int fd);
hidden long __byway_getcwd(char *out, size_t size);

/* src/status.c */
hidden long __byway_stat(int start, const char *path, struct kstat *out, int flags);
hidden long __byway_statx(int start, const char *path, int flags, struct statx_fields *out);
hidden long __byway_access(int start, const char *path, int wanted, int flags);
hidden long __byway_chmod(int start, const char *path, mode_t mode, int flags);
hidden long __byway_chown(int start, const char *path, uid_t user, gid_t group, int flags);
hidden long __byway_utimens(int start, const char *path, const struct timespec times[2],
	int flags);
hidden long __byway_truncate(const char *path, long size);
hidden long __byway_ftruncate(int fd, long size);
hidden long __byway_fallocate(int fd, int mode, long offset, long count);
hidden long __byway_fsync(int fd);
hidden long __byway_statfs(const char *path, struct statfs *out);
hidden long __byway_fstatfs(int fd, struct statfs *out);

/* src/pages.c */
hidden long __byway_mmap(unsigned long address, size_t size, int protection, int flags, int fd,
	long offset);
hidden long __byway_munmap(unsigned long address, size_t size);
hidden long __byway_mprotect(unsigned long address, size_t size, int protection);
hidden long __byway_msync(unsigned long address, size_t size, int flags);
hidden long __byway_mincore(unsigned long address, size_t size, unsigned char *resident);
hidden long __byway_mremap(unsigned long old, size_t old_size, size_t new_size, int flags);

/* src/clocks.c */
hidden long __byway_clock_gettime(int clock, struct timespec *out);
hidden long __byway_clock_getres(int clock, struct timespec *out);
hidden long __byway_time_of_day(struct timeval *out);
hidden long __byway_seconds(long *out);
hidden long __byway_process_times(struct tms *out);
hidden long __byway_usage(struct rusage *out);

/* src/timers.c */
hidden long __byway_sleep(const struct timespec *wanted, struct timespec *remaining);
hidden long __byway_getitimer(int which, struct itimerval *out);
hidden long __byway_setitimer(int which, const struct itimerval *new, struct itimerval *old);
hidden int __byway_wait_for_timer(void);

/* src/processes.c */
hidden long __byway_no_process(const char *what);
hidden long __byway_no_socket(const char *what);
hidden long __byway_exec(int start, const char *path, int flags);

/* src/machine.c */
hidden long __byway_uname(struct utsname *out);
hidden long __byway_getrandom(unsigned char *out, size_t count);
hidden long __byway_getrlimit(int resource, struct rlimit *out);
hidden long __byway_setrlimit(int resource, const struct rlimit *new);
/* The current limit of a resource. */
hidden unsigned long __byway_limit(int resource);
hidden long __byway_getpriority(void);
hidden long __byway_setpriority(int nice);
hidden long __byway_prctl(int option, unsigned long argument);
hidden long __byway_sysinfo(struct sysinfo *out);
hidden long __byway_getaffinity(size_t size, unsigned char *mask);
hidden long __byway_futex(const volatile int *word, int operation, int value, const void *timeout);

#endif
