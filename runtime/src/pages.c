/* Memory mappings: each mapping is one object. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include "calls.h"
#include "engine.h"
#include "fs.h"

enum { PAGE = 4096 };

/* A mapping of a file is a copy of its bytes: writes to one are not visible in the
 * other. */
static long map_file(int fd, size_t size, int protection, int flags, long offset)
{
	struct file *file = __byway_fd_file(fd);

	if (!file) return -EBADF;
	if (!S_ISREG(file->inode->mode)) return -ENODEV;
	if ((file->flags & O_ACCMODE) == O_WRONLY) return -EACCES;
	if (offset < 0 || offset % PAGE) return -EINVAL;
	if (flags & MAP_SHARED && protection & PROT_WRITE)
		return __byway_not_modelled("system call mmap: a file, shared to be written", -ENODEV);
	void *object = __byway_map(size);
	if (!object) return -ENOMEM;
	__byway_inode_read(file->inode, offset, object, size);
	return (long)object;
}

long __byway_mmap(size_t size, int protection, int flags, int fd, long offset)
{
	if (!size) return -EINVAL;
	if (flags & MAP_FIXED) __byway_unsupported("system call mmap: a fixed address");
	if (!(flags & MAP_ANONYMOUS)) return map_file(fd, size, protection, flags, offset);
	void *object = __byway_map(size);
	return object ? (long)object : -ENOMEM;
}

long __byway_munmap(unsigned long address)
{
	__byway_unmap((void *)address);
	return 0;
}

long __byway_mremap(void *old, size_t old_size, size_t new_size, int flags)
{
	if (!new_size) return -EINVAL;
	if (flags & MREMAP_FIXED) __byway_unsupported("system call mremap: a fixed address");
	if (!(flags & MREMAP_MAYMOVE)) return new_size <= old_size ? (long)old : -ENOMEM;
	void *new = __byway_map(new_size);
	if (!new) return -ENOMEM;
	memcpy(new, old, old_size < new_size ? old_size : new_size);
	__byway_unmap(old);
	return (long)new;
}
