/* Pipes, named and unnamed. There is only one process: waiting for another process
 * at the other end would never end, so the path ends. */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include "engine.h"
#include "fs.h"
#include "signals.h"

/* The capacity of a pipe on Linux. */
enum { CAPACITY = 65536 };

static long wait(const struct file *file)
{
	if (file->flags & O_NONBLOCK) return -EAGAIN;
	__byway_unsupported("waiting for the other end of a pipe (a deadlock: there is one process)");
}

/* Opening a named pipe blocks until its other end is open. */
long __byway_pipe_open(struct inode *inode, int flags)
{
	int access = flags & O_ACCMODE;

	if (access == O_RDWR) return 0;
	if (access == O_WRONLY && !inode->readers) {
		if (flags & O_NONBLOCK) return -ENXIO;
	} else if (access == O_WRONLY || inode->writers || flags & O_NONBLOCK) {
		return 0;
	}
	__byway_unsupported("opening a pipe whose other end nobody opens (there is one process)");
}

long __byway_pipe_read(struct file *file, void *out, size_t count)
{
	struct inode *pipe = file->inode;

	if (pipe->writers && !pipe->size) return wait(file);
	long got = __byway_inode_read(pipe, 0, out, count);
	pipe->size -= got;
	if (pipe->size) memmove(pipe->data, pipe->data + got, pipe->size);
	return got;
}

long __byway_pipe_write(struct file *file, const void *bytes, size_t count)
{
	struct inode *pipe = file->inode;
	size_t free = CAPACITY - pipe->size;

	if (!pipe->readers) {
		__byway_send_signal(SIGPIPE);
		return -EPIPE;
	}
	/* Writes of at most PIPE_BUF bytes are atomic. */
	if (count > free) {
		if (count <= PIPE_BUF || !free || !(file->flags & O_NONBLOCK)) return wait(file);
		count = free;
	}
	return __byway_inode_write(pipe, pipe->size, bytes, count);
}
