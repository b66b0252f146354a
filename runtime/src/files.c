/* Open files: regular ones, directories, devices and the standard streams. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include "calls.h"
#include "engine.h"
#include "fs.h"
#include "signals.h"
#include "streams.h"

void *__libc_malloc(size_t);
void __libc_free(void *);

static int may_read(const struct file *file)
{
	return !(file->flags & O_PATH) && (file->flags & O_ACCMODE) != O_WRONLY;
}

static int may_write(const struct file *file)
{
	return !(file->flags & O_PATH) && (file->flags & O_ACCMODE) != O_RDONLY;
}

static int is_pipe(const struct inode *inode)
{
	return S_ISFIFO(inode->mode) && !inode->device && !__byway_is_stream(inode);
}

/* Whether there is a position to read and write at. */
static int is_seekable(struct inode *inode)
{
	__byway_stream_settle(inode);
	return !S_ISFIFO(inode->mode) && !(__byway_is_stream(inode) && S_ISCHR(inode->mode));
}

/* Checks to pass before an inode can be opened; the content of a file of the host
 * is copied in. */
static long prepare(struct inode *inode, int flags)
{
	int writes = (flags & O_ACCMODE) != O_RDONLY;

	if (flags & O_PATH) return 0;
	if (S_ISLNK(inode->mode)) return -ELOOP;
	if (S_ISDIR(inode->mode) && writes) return -EISDIR;
	if (S_ISSOCK(inode->mode) || inode->device == DEVICE_TERMINAL) return -ENXIO;
	if (is_pipe(inode)) return __byway_pipe_open(inode, flags);
	if (S_ISREG(inode->mode)) return __byway_host_fill_file(inode);
	return 0;
}

long __byway_file_open(struct inode *inode, int flags, struct file **out)
{
	long error = prepare(inode, flags);
	struct file *file = error ? 0 : __libc_malloc(sizeof *file);

	if (error) return error;
	if (!file) return -ENFILE;
	*file = (struct file){ .inode = inode, .flags = flags, .holders = 1 };
	inode->opens++;
	inode->readers += may_read(file);
	inode->writers += may_write(file);
	*out = file;
	return 0;
}

void __byway_file_close(struct file *file)
{
	struct inode *inode = file->inode;

	if (--file->holders) return;
	inode->opens--;
	inode->readers -= may_read(file);
	inode->writers -= may_write(file);
	/* The three standard streams are static objects and are never freed. */
	if (__byway_is_stream(inode)) return;
	__byway_inode_release(inode);
	__libc_free(file);
}

static long read_device(enum device device, void *out, size_t count)
{
	switch (device) {
	case DEVICE_INPUT: return __byway_read(out, count);
	case DEVICE_ZERO:
	case DEVICE_FULL: memset(out, 0, count); return count;
	case DEVICE_RANDOM: return __byway_getrandom(out, count);
	default: return 0;
	}
}

static long write_device(enum device device, const void *bytes, size_t count)
{
	switch (device) {
	case DEVICE_OUTPUT: return __byway_write(1, bytes, count);
	case DEVICE_ERROR: return __byway_write(2, bytes, count);
	case DEVICE_FULL: return -ENOSPC;
	default: return count;
	}
}

/* At the file's own offset, which advances, or at a given one. */
long __byway_file_read(struct file *file, void *out, size_t count, long offset)
{
	struct inode *inode = file->inode;

	if (!may_read(file)) return -EBADF;
	if (S_ISDIR(inode->mode)) return -EISDIR;
	if (offset >= 0 && !is_seekable(inode)) return -ESPIPE;
	if (!count) return 0;
	if (inode->device) return read_device(inode->device, out, count);
	if (is_pipe(inode)) return __byway_pipe_read(file, out, count);
	if (offset >= 0) return __byway_inode_read(inode, offset, out, count);
	long got = __byway_inode_read(inode, file->offset, out, count);
	if (got < 0) return got;
	file->offset += got;
	return got;
}

size_t __byway_file_allowance(size_t size)
{
	unsigned long limit = __byway_limit(RLIMIT_FSIZE);

	if (limit == RLIM_INFINITY) return SIZE_MAX;
	return size < limit ? limit - size : 0;
}

long __byway_file_write(struct file *file, const void *bytes, size_t count, long offset)
{
	struct inode *inode = file->inode;

	if (!may_write(file)) return -EBADF;
	if (offset >= 0 && !is_seekable(inode)) return -ESPIPE;
	__byway_check_initialised(bytes, count);
	if (inode->device) {
		long put = write_device(inode->device, bytes, count);
		if (put > 0 && __byway_is_stream(inode)) inode->size = file->offset += put;
		return put;
	}
	if (!count) return 0;
	if (is_pipe(inode)) return __byway_pipe_write(file, bytes, count);
	/* As on Linux, appending overrides a given offset. */
	long at = file->flags & O_APPEND ? (long)inode->size : offset >= 0 ? offset : file->offset;
	size_t allowed = __byway_file_allowance(at);
	if (!allowed) {
		__byway_send_signal(SIGXFSZ);
		return -EFBIG;
	}
	long put = __byway_inode_write(inode, at, bytes, count < allowed ? count : allowed);
	if (put > 0 && offset < 0) file->offset = at + put;
	return put;
}

/* A file has no holes but the one at its end. */
static long seek_data_or_hole(const struct file *file, long offset, int whence, long *base)
{
	long size = file->inode->size;

	if (offset < 0 || offset >= size) return -ENXIO;
	*base = whence == SEEK_HOLE ? size - offset : 0;
	return 0;
}

long __byway_file_seek(struct file *file, long offset, int whence)
{
	struct inode *inode = file->inode;
	long base = 0, end, error = 0;

	if (file->flags & O_PATH) return -EBADF;
	if (!is_seekable(inode)) return -ESPIPE;
	/* Devices have no positions: seeking returns zero. */
	if (inode->device && !__byway_is_stream(inode)) return 0;
	switch (whence) {
	case SEEK_SET: break;
	case SEEK_CUR: base = file->offset; break;
	case SEEK_END: base = inode->size; break;
	case SEEK_DATA:
	case SEEK_HOLE: error = seek_data_or_hole(file, offset, whence, &base); break;
	default: return -EINVAL;
	}
	if (error) return error;
	if (__builtin_add_overflow(base, offset, &end)) return -EOVERFLOW;
	if (end < 0) return -EINVAL;
	if (inode->device && end != file->offset)
		return __byway_not_modelled("system call lseek: output to a file", -ESPIPE);
	return file->offset = end;
}

/* Whether reading or writing would not block. */
int __byway_file_is_ready(const struct file *file, int to_write)
{
	const struct inode *inode = file->inode;

	if (to_write ? !may_write(file) : !may_read(file)) return 0;
	if (!is_pipe(inode)) return 1;
	return to_write ? inode->size < PIPE_BUF || !inode->readers : inode->size || !inode->writers;
}
