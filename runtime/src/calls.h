/* The system calls that have more to them than a line in src/syscall.c; each
 * returns what the kernel would: a result or -errno. */
#ifndef BYWAY_CALLS_H
#define BYWAY_CALLS_H

#include <poll.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>

struct kstat;

/* src/descriptors.c */
hidden long __byway_fd_read(int fd, const struct iovec *parts, int count);
hidden long __byway_fd_write(int fd, const struct iovec *parts, int count);
hidden long __byway_fd_seek(int fd);
hidden long __byway_fd_ioctl(int fd);
hidden long __byway_fd_stat(int fd, struct kstat *out);
hidden long __byway_fd_control(int fd, int command, long argument);
hidden long __byway_fd_close(int fd);
hidden long __byway_fd_duplicate(int fd, int lowest);
hidden long __byway_fd_duplicate_to(int fd, int to);
hidden long __byway_fd_poll(struct pollfd *fds, unsigned long count);

/* src/pages.c */
hidden long __byway_mmap(unsigned long address, size_t size, int flags);
hidden long __byway_munmap(unsigned long address);
hidden long __byway_mremap(void *old, size_t old_size, size_t new_size, int flags);

/* src/clocks.c */
hidden long __byway_clock_gettime(int clock, struct timespec *out);
hidden long __byway_clock_getres(int clock, struct timespec *out);
hidden long __byway_sleep(struct timespec *remaining);

/* src/machine.c */
hidden long __byway_uname(struct utsname *out);
hidden long __byway_getrandom(unsigned char *out, size_t count);
hidden long __byway_getcwd(char *out, size_t size);
hidden long __byway_getrlimit(int resource, struct rlimit *out);
hidden long __byway_getaffinity(size_t size, unsigned char *mask);
hidden long __byway_futex(const volatile int *word, int operation, int value, const void *timeout);

#endif
