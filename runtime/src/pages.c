/* Memory asked of the kernel: each anonymous mapping is one object. */

#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include "calls.h"
#include "engine.h"

long __byway_mmap(unsigned long address, size_t size, int flags)
{
	if (!size) return -EINVAL;
	if (flags & MAP_FIXED) __byway_unsupported("system call mmap: a fixed address");
	if (!(flags & MAP_ANONYMOUS)) {
		__byway_warn("system call mmap: a file");
		return -ENODEV;
	}
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
