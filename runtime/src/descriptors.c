/* File descriptors: the three standard streams, and copies of them. */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include "calls.h"
#include "engine.h"
#include "kstat.h"

enum { LIMIT = 64 };
enum stream { CLOSED, INPUT, OUTPUT, ERROR };

/* Which stream each descriptor stands for. */
static unsigned char streams[LIMIT] = { INPUT, OUTPUT, ERROR };
static unsigned char close_on_exec[LIMIT];

static enum stream stream_of(int fd)
{
	return fd >= 0 && fd < LIMIT ? streams[fd] : CLOSED;
}

/* Reads until a part comes back short: what is left is not there yet, or never. */
long __byway_fd_read(int fd, const struct iovec *parts, int count)
{
	long total = 0;

	if (stream_of(fd) != INPUT) return -EBADF;
	if (count < 0 || count > IOV_MAX) return -EINVAL;
	for (int i = 0; i < count; i++) {
		if (!parts[i].iov_len) continue;
		long got = __byway_read(parts[i].iov_base, parts[i].iov_len);
		if (got < 0) return total ? total : got;
		total += got;
		if ((size_t)got < parts[i].iov_len) break;
	}
	return total;
}

long __byway_fd_write(int fd, const struct iovec *parts, int count)
{
	enum stream stream = stream_of(fd);
	long total = 0;

	if (stream != OUTPUT && stream != ERROR) return -EBADF;
	if (count < 0 || count > IOV_MAX) return -EINVAL;
	for (int i = 0; i < count; i++) {
		if (!parts[i].iov_len) continue;
		long put = __byway_write(stream == OUTPUT ? 1 : 2, parts[i].iov_base,
			parts[i].iov_len);
		if (put < 0) return total ? total : put;
		total += put;
		if ((size_t)put < parts[i].iov_len) break;
	}
	return total;
}

/* The streams are pipes. */
long __byway_fd_seek(int fd)
{
	return stream_of(fd) ? -ESPIPE : -EBADF;
}

long __byway_fd_ioctl(int fd)
{
	return stream_of(fd) ? -ENOTTY : -EBADF;
}

long __byway_fd_stat(int fd, struct kstat *out)
{
	if (!stream_of(fd)) return -EBADF;
	*out = (struct kstat){
		.st_ino = stream_of(fd),
		.st_nlink = 1,
		.st_mode = S_IFIFO | 0600,
		.st_uid = 1000,
		.st_gid = 1000,
		.st_blksize = 4096,
	};
	return 0;
}

long __byway_fd_close(int fd)
{
	if (!stream_of(fd)) return -EBADF;
	streams[fd] = CLOSED;
	return 0;
}

long __byway_fd_duplicate(int fd, int lowest)
{
	if (!stream_of(fd)) return -EBADF;
	if (lowest < 0 || lowest >= LIMIT) return -EINVAL;
	for (int to = lowest; to < LIMIT; to++)
		if (!streams[to]) return __byway_fd_duplicate_to(fd, to);
	return -EMFILE;
}

long __byway_fd_duplicate_to(int fd, int to)
{
	if (!stream_of(fd) || to < 0 || to >= LIMIT) return -EBADF;
	streams[to] = streams[fd];
	close_on_exec[to] = 0;
	return to;
}

long __byway_fd_control(int fd, int command, long argument)
{
	enum stream stream = stream_of(fd);

	if (!stream) return -EBADF;
	switch (command) {
	case F_DUPFD:
	case F_DUPFD_CLOEXEC: return __byway_fd_duplicate(fd, argument);
	case F_GETFD: return close_on_exec[fd];
	case F_SETFD: close_on_exec[fd] = argument & FD_CLOEXEC; return 0;
	case F_GETFL: return stream == INPUT ? O_RDONLY : O_WRONLY;
	case F_SETFL: return 0;
	default:
		__byway_warn("system call fcntl: unknown command");
		return -EINVAL;
	}
}

/* A stream is always ready: reading and writing never wait. */
long __byway_fd_poll(struct pollfd *fds, unsigned long count)
{
	long ready = 0;

	for (unsigned long i = 0; i < count; i++) {
		enum stream stream = stream_of(fds[i].fd);
		if (fds[i].fd < 0) fds[i].revents = 0;
		else if (!stream) fds[i].revents = POLLNVAL;
		else fds[i].revents = fds[i].events & (stream == INPUT ? POLLIN : POLLOUT);
		ready += fds[i].revents != 0;
	}
	return ready;
}
