/* File descriptors: the table from descriptor numbers to open files. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/ioctl.h>
#include "calls.h"
#include "engine.h"
#include "fs.h"
#include "streams.h"

/* The standard streams: pipes to outside of the program, unless src/streams.c makes them files
 * or terminals. */
static struct inode streams[3] = {
	{ .number = 1, .mode = S_IFIFO | 0600, .user = BYWAY_USER, .group = BYWAY_GROUP,
		.links = 1, .opens = 1, .device = DEVICE_INPUT, .readers = 1 },
	{ .number = 2, .mode = S_IFIFO | 0600, .user = BYWAY_USER, .group = BYWAY_GROUP,
		.links = 1, .opens = 1, .device = DEVICE_OUTPUT, .writers = 1 },
	{ .number = 3, .mode = S_IFIFO | 0600, .user = BYWAY_USER, .group = BYWAY_GROUP,
		.links = 1, .opens = 1, .device = DEVICE_ERROR, .writers = 1 },
};
static struct file standard[3] = {
	{ .inode = &streams[0], .flags = O_RDONLY, .holders = 1 },
	{ .inode = &streams[1], .flags = O_WRONLY, .holders = 1 },
	{ .inode = &streams[2], .flags = O_WRONLY, .holders = 1 },
};

static struct {
	struct file *file;
	int close_on_exec;
} table[BYWAY_DESCRIPTORS] = { { &standard[0] }, { &standard[1] }, { &standard[2] } };

struct file *__byway_fd_file(int fd)
{
	return fd >= 0 && fd < BYWAY_DESCRIPTORS ? table[fd].file : 0;
}

/* The current limit on descriptors. */
static int limit(void)
{
	unsigned long limit = __byway_limit(RLIMIT_NOFILE);

	return limit < BYWAY_DESCRIPTORS ? limit : BYWAY_DESCRIPTORS;
}

/* The lowest free descriptor, or -EMFILE. */
static int lowest_free(int from)
{
	while (from < BYWAY_DESCRIPTORS && table[from].file) from++;
	return from < limit() ? from : -EMFILE;
}

long __byway_fd_new(struct file *file, int close_on_exec)
{
	int fd = lowest_free(0);

	if (fd < 0) {
		__byway_file_close(file);
		return fd;
	}
	table[fd].file = file;
	table[fd].close_on_exec = close_on_exec;
	return fd;
}

/* Reads until a short read: the rest is not available. */
long __byway_fd_read(int fd, const struct iovec *parts, int count, long offset)
{
	struct file *file = __byway_fd_file(fd);
	long total = 0;

	if (!file) return -EBADF;
	if (count < 0 || count > IOV_MAX) return -EINVAL;
	for (int i = 0; i < count; i++) {
		long got = __byway_file_read(file, parts[i].iov_base, parts[i].iov_len,
			offset < 0 ? offset : offset + total);
		if (got < 0) return total ? total : got;
		total += got;
		if (i + 1 == count || (size_t)got < parts[i].iov_len) break;
	}
	return total;
}

long __byway_fd_write(int fd, const struct iovec *parts, int count, long offset)
{
	struct file *file = __byway_fd_file(fd);
	long total = 0;

	if (!file) return -EBADF;
	if (count < 0 || count > IOV_MAX) return -EINVAL;
	for (int i = 0; i < count; i++) {
		long put = __byway_file_write(file, parts[i].iov_base, parts[i].iov_len,
			offset < 0 ? offset : offset + total);
		if (put < 0) return total ? total : put;
		total += put;
		if ((size_t)put < parts[i].iov_len) break;
	}
	return total;
}

long __byway_fd_seek(int fd, long offset, int whence)
{
	struct file *file = __byway_fd_file(fd);

	return file ? __byway_file_seek(file, offset, whence) : -EBADF;
}

long __byway_fd_ioctl(int fd, int request, void *argument)
{
	struct file *file = __byway_fd_file(fd);

	if (!file) return -EBADF;
	switch (request) {
	case FIONREAD:
		if (!S_ISREG(file->inode->mode) && !S_ISFIFO(file->inode->mode)) return -ENOTTY;
		*(int *)argument = file->inode->size - file->offset;
		return 0;
	case FIOCLEX: table[fd].close_on_exec = 1; return 0;
	case FIONCLEX: table[fd].close_on_exec = 0; return 0;
	case FIONBIO:
		file->flags = *(int *)argument ? file->flags | O_NONBLOCK : file->flags & ~O_NONBLOCK;
		return 0;
	default: return __byway_terminal_control(file->inode, request, argument);
	}
}

long __byway_fd_list(int fd, void *out, size_t size)
{
	struct file *file = __byway_fd_file(fd);

	return file ? __byway_directory_list(file, out, size) : -EBADF;
}

long __byway_fd_close(int fd)
{
	struct file *file = __byway_fd_file(fd);

	if (!file) return -EBADF;
	table[fd].file = 0;
	__byway_file_close(file);
	return 0;
}

long __byway_fd_duplicate(int fd, int lowest, int close_on_exec)
{
	if (!__byway_fd_file(fd)) return -EBADF;
	if (lowest < 0 || lowest >= limit()) return -EINVAL;
	int to = lowest_free(lowest);
	return to < 0 ? to : __byway_fd_duplicate_to(fd, to, close_on_exec);
}

long __byway_fd_duplicate_to(int fd, int to, int close_on_exec)
{
	struct file *file = __byway_fd_file(fd);

	if (!file || to < 0 || to >= limit()) return -EBADF;
	if (fd == to) return to;
	file->holders++;
	__byway_fd_close(to);
	table[to].file = file;
	table[to].close_on_exec = close_on_exec;
	return to;
}

long __byway_fd_control(int fd, int command, long argument)
{
	const int settable = O_APPEND | O_NONBLOCK | O_ASYNC | O_DIRECT | O_NOATIME;
	struct file *file = __byway_fd_file(fd);

	if (!file) return -EBADF;
	switch (command) {
	case F_DUPFD: return __byway_fd_duplicate(fd, argument, 0);
	case F_DUPFD_CLOEXEC: return __byway_fd_duplicate(fd, argument, FD_CLOEXEC);
	case F_GETFD: return table[fd].close_on_exec;
	case F_SETFD: table[fd].close_on_exec = argument & FD_CLOEXEC; return 0;
	case F_GETFL: return file->flags;
	case F_SETFL:
		file->flags = (file->flags & ~settable) | (argument & settable);
		return 0;
	/* There is no other process to hold a lock. */
	case F_GETLK: ((struct flock *)argument)->l_type = F_UNLCK; return 0;
	case F_SETLK:
	case F_SETLKW: return 0;
	case F_SETOWN: return 0;
	case F_GETOWN: return 0;
	default: return __byway_not_modelled("system call fcntl: unknown command", -EINVAL);
	}
}

/* Opens both ends of a new pipe. */
long __byway_fd_pipe(int ends[2], int flags)
{
	struct inode *pipe = __byway_inode_new(S_IFIFO | 0600);
	struct file *reader, *writer;
	int kept = flags & (O_NONBLOCK | O_DIRECT), close_on_exec = flags & O_CLOEXEC ? FD_CLOEXEC : 0;

	if (flags & ~(O_NONBLOCK | O_DIRECT | O_CLOEXEC)) return -EINVAL;
	if (!pipe) return -ENFILE;
	/* Count both ends as open: opening the first must not wait for the second. */
	pipe->readers = pipe->writers = 1;
	long error = __byway_file_open(pipe, O_RDONLY | kept, &reader);
	if (!error && (error = __byway_file_open(pipe, O_WRONLY | kept, &writer)))
		__byway_file_close(reader);
	if (error) return error;
	pipe->readers = pipe->writers = 1;
	long read_end = __byway_fd_new(reader, close_on_exec);
	if (read_end < 0) {
		__byway_file_close(writer);
		return read_end;
	}
	long write_end = __byway_fd_new(writer, close_on_exec);
	if (write_end < 0) {
		__byway_fd_close(read_end);
		return write_end;
	}
	ends[0] = read_end;
	ends[1] = write_end;
	return 0;
}

static short readiness(int fd, short events)
{
	struct file *file = __byway_fd_file(fd);
	short ready = 0;

	if (fd < 0) return 0;
	if (!file) return POLLNVAL;
	if (__byway_file_is_ready(file, 0)) ready |= POLLIN | POLLRDNORM;
	if (__byway_file_is_ready(file, 1)) ready |= POLLOUT | POLLWRNORM;
	return ready & events;
}

/* What is not ready now never will be: polling times out at once. */
long __byway_fd_poll(struct pollfd *fds, unsigned long count, int waits_for_ever)
{
	long ready = 0;

	for (unsigned long i = 0; i < count; i++) {
		fds[i].revents = readiness(fds[i].fd, fds[i].events);
		ready += fds[i].revents != 0;
	}
	if (!ready && waits_for_ever)
		__byway_unsupported("waiting for descriptors of which none can become ready");
	return ready;
}

static long select_some(int count, fd_set *set, short events, int only_check)
{
	long ready = 0;

	if (!set) return 0;
	for (int fd = 0; fd < count; fd++) {
		if (!FD_ISSET(fd, set)) continue;
		short found = readiness(fd, events);
		if (found & POLLNVAL) return -EBADF;
		if (only_check) continue;
		if (found) ready++;
		else FD_CLR(fd, set);
	}
	return ready;
}

long __byway_fd_select(int count, fd_set *readers, fd_set *writers, fd_set *others,
	int waits_for_ever)
{
	if (count < 0) return -EINVAL;
	if (count > BYWAY_DESCRIPTORS) count = BYWAY_DESCRIPTORS;
	if (select_some(count, readers, 0, 1) || select_some(count, writers, 0, 1)
		|| select_some(count, others, 0, 1)) return -EBADF;
	long ready = select_some(count, readers, POLLIN, 0)
		+ select_some(count, writers, POLLOUT, 0)
		+ select_some(count, others, 0, 0);
	if (!ready && waits_for_ever)
		__byway_unsupported("waiting for descriptors of which none can become ready");
	return ready;
}
