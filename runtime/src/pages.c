/* Memory mappings: each is one object of the engine. src/file_pages.c keeps those of files
 * equal to the files.
 *
 * Protection holds for whole mappings, and only against writing. Unmapping a part of a
 * mapping has no effect until all of it is unmapped. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include "calls.h"
#include "engine.h"
#include "fs.h"
#include "pages.h"
#include "streams.h"

void *__libc_calloc(size_t, size_t);
void *__libc_malloc(size_t);
void __libc_free(void *);

static struct mapping *mappings;

struct mapping *__byway_mappings(void)
{
	return mappings;
}

static size_t whole_pages(size_t size)
{
	return (size + PAGE - 1) & -(size_t)PAGE;
}

void __byway_mapping_protect(struct mapping *mapping, int is_writable)
{
	mapping->is_writable = is_writable;
	__byway_protect(mapping->address, is_writable);
}

/* The mapping that contains a range. */
static struct mapping *around(unsigned long address, size_t size)
{
	struct mapping *mapping = mappings;

	while (mapping && (address < (unsigned long)mapping->address
		|| address - (unsigned long)mapping->address >= mapping->size
		|| size > mapping->size - (address - (unsigned long)mapping->address)))
		mapping = mapping->next;
	return mapping;
}

/* Adds a mapping with these properties, and its object. */
static struct mapping *add(struct mapping wanted)
{
	struct mapping *mapping = __libc_malloc(sizeof *mapping);

	if (!mapping) return 0;
	*mapping = wanted;
	mapping->address = __byway_map(wanted.object_size);
	if (!mapping->address) {
		__libc_free(mapping);
		return 0;
	}
	mapping->next = mappings;
	mappings = mapping;
	if (mapping->inode) {
		mapping->inode->opens++;
		mapping->inode->shared_mappings += mapping->is_shared;
		__byway_file_to_mapping(mapping);
	}
	__byway_mapping_protect(mapping, mapping->is_writable);
	return mapping;
}

static void drop(struct mapping *mapping)
{
	struct mapping **link = &mappings;

	if (mapping->inode) {
		if (mapping->is_shared) __byway_mappings_to_file(mapping->inode);
		mapping->inode->shared_mappings -= mapping->is_shared;
		mapping->inode->opens--;
		__byway_inode_release(mapping->inode);
	}
	while (*link != mapping) link = &(*link)->next;
	*link = mapping->next;
	__byway_unmap(mapping->address);
	__libc_free(mapping->gone);
	__libc_free(mapping);
}

static long address_of(const struct mapping *mapping)
{
	return mapping ? (long)mapping->address : -ENOMEM;
}

/* A shared mapping of the same bytes must be the same memory. */
static struct mapping *same_bytes(const struct mapping *wanted)
{
	for (struct mapping *mapping = mappings; mapping; mapping = mapping->next) {
		if (mapping->inode != wanted->inode || !mapping->is_shared) continue;
		if (mapping->offset <= wanted->offset && wanted->offset - mapping->offset
			+ wanted->size <= mapping->size) return mapping;
		if (mapping->offset < wanted->offset + wanted->size
			&& wanted->offset < mapping->offset + mapping->size
			&& (mapping->may_write || wanted->may_write))
			__byway_warn("system call mmap: shared mappings that overlap in part");
	}
	return 0;
}

static long map_shared(const struct mapping *wanted)
{
	struct mapping *same = same_bytes(wanted);

	if (!same) return address_of(add(*wanted));
	same->is_kept = 1;
	same->may_write |= wanted->may_write;
	if (wanted->is_writable) __byway_mapping_protect(same, 1);
	return (long)(same->address + (wanted->offset - same->offset));
}

static long map_file(int fd, struct mapping wanted, int flags)
{
	struct file *file = __byway_fd_file(fd);
	int access = file->flags & O_ACCMODE, type = flags & MAP_TYPE;

	if (type != MAP_SHARED && type != MAP_PRIVATE && type != MAP_SHARED_VALIDATE) return -EINVAL;
	wanted.is_shared = type != MAP_PRIVATE;
	wanted.may_write = wanted.is_shared && access == O_RDWR;
	__byway_stream_settle(file->inode);
	if (access == O_WRONLY) return -EACCES;
	if (wanted.is_shared && wanted.is_writable && !wanted.may_write) return -EACCES;
	if (file->inode->device == DEVICE_ZERO) return address_of(add(wanted));
	if (!S_ISREG(file->inode->mode)) return -ENODEV;
	if (file->inode->shared_mappings) __byway_mappings_to_file(file->inode);
	wanted.inode = file->inode;
	wanted.object_size = __byway_mapped_part(wanted.inode, wanted.offset, wanted.size);
	return wanted.is_shared ? map_shared(&wanted) : address_of(add(wanted));
}

/* New pages within an existing private mapping: the program reserved the addresses before. */
static long map_again(unsigned long address, size_t size, int protection, int flags)
{
	struct mapping *mapping = address % PAGE ? 0 : around(address, size);

	if (address % PAGE) return -EINVAL;
	if (flags & MAP_FIXED_NOREPLACE && mapping) return -EEXIST;
	if (!mapping || mapping->inode || !(flags & MAP_ANONYMOUS))
		__byway_unsupported("system call mmap: a fixed address");
	__byway_mapping_protect(mapping, 1);
	memset((void *)address, 0, size);
	if (mapping->gone) memset(mapping->gone + (address - (unsigned long)mapping->address) / PAGE,
		0, size / PAGE);
	if (size == mapping->size && !(protection & PROT_WRITE)) __byway_mapping_protect(mapping, 0);
	return address;
}

long __byway_mmap(unsigned long address, size_t size, int protection, int flags, int fd,
	long offset)
{
	struct mapping wanted = { .size = whole_pages(size), .object_size = whole_pages(size),
		.offset = offset, .is_writable = !!(protection & PROT_WRITE) };
	struct file *file = __byway_fd_file(fd);

	if (offset % PAGE) return -EINVAL;
	if (!(flags & MAP_ANONYMOUS) && (!file || file->flags & O_PATH)) return -EBADF;
	if (!size) return -EINVAL;
	if (!wanted.size) return -ENOMEM;
	if (offset < 0 || wanted.size > (size_t)INT64_MAX - offset) return -EOVERFLOW;
	if (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE))
		return map_again(address, wanted.size, protection, flags);
	if (!(flags & MAP_ANONYMOUS)) return map_file(fd, wanted, flags);
	if (!(flags & (MAP_SHARED | MAP_PRIVATE))) return -EINVAL;
	return address_of(add(wanted));
}

/* Unmaps the pages of a mapping that are in a range. */
static void unmap_part(struct mapping *mapping, unsigned long address, size_t size)
{
	unsigned long start = (unsigned long)mapping->address;
	size_t pages = mapping->size / PAGE, left = 0;

	if (mapping->is_kept) return;
	if (!mapping->gone && !(mapping->gone = __libc_calloc(pages, 1))) return;
	for (size_t page = 0; page < pages; page++) {
		unsigned long at = start + page * PAGE;
		if (at >= address && at - address < size) mapping->gone[page] = 1;
		left += !mapping->gone[page];
	}
	if (!left) drop(mapping);
}

static int overlaps(const struct mapping *mapping, unsigned long address, size_t size)
{
	unsigned long start = (unsigned long)mapping->address;

	return address < start + mapping->size && start < address + size;
}

/* An address that is not mapped is no error. */
long __byway_munmap(unsigned long address, size_t size)
{
	if (address % PAGE || !size) return -EINVAL;
	for (struct mapping *mapping = mappings, *next; mapping; mapping = next) {
		next = mapping->next;
		if (overlaps(mapping, address, whole_pages(size)))
			unmap_part(mapping, address, whole_pages(size));
	}
	return 0;
}

/* Protecting a part has no effect, but permission to write to a part holds for all. */
long __byway_mprotect(unsigned long address, size_t size, int protection)
{
	if (address % PAGE) return -EINVAL;
	size = whole_pages(size);
	struct mapping *mapping = size ? around(address, size) : 0;
	if (!mapping) return 0;
	int is_writable = !!(protection & PROT_WRITE);
	if (is_writable && mapping->inode && mapping->is_shared && !mapping->may_write) return -EACCES;
	if (is_writable || size == mapping->size) __byway_mapping_protect(mapping, is_writable);
	return 0;
}

long __byway_msync(unsigned long address, size_t size, int flags)
{
	const int both = MS_ASYNC | MS_SYNC;

	if (flags & ~(both | MS_INVALIDATE) || (flags & both) == both || address % PAGE)
		return -EINVAL;
	if (!size) return 0;
	struct mapping *mapping = around(address, whole_pages(size));
	if (!mapping) return -ENOMEM;
	if (mapping->inode && mapping->is_shared) __byway_mappings_to_file(mapping->inode);
	return 0;
}

/* Whether an object of any kind is in a page. Objects begin at multiples of their alignment,
 * 16 at least. */
static int is_page(unsigned long page)
{
	unsigned long at = page;

	while (at < page + PAGE && !__byway_room((void *)at)) at += 16;
	return at < page + PAGE;
}

/* All memory is resident: programs ask which pages exist. */
long __byway_mincore(unsigned long address, size_t size, unsigned char *resident)
{
	if (address % PAGE) return -EINVAL;
	for (size_t i = 0; i < whole_pages(size) / PAGE; i++) {
		if (!is_page(address + i * PAGE)) return -ENOMEM;
		resident[i] = 1;
	}
	return 0;
}

long __byway_mremap(unsigned long old, size_t old_size, size_t new_size, int flags)
{
	if (old % PAGE || !new_size) return -EINVAL;
	if (flags & MREMAP_FIXED) __byway_unsupported("system call mremap: a fixed address");
	old_size = whole_pages(old_size);
	new_size = whole_pages(new_size);
	struct mapping *mapping = around(old, old_size);
	if (!mapping) return -EFAULT;
	if (new_size <= old_size) {
		if (new_size < old_size) __byway_munmap(old + new_size, old_size - new_size);
		return old;
	}
	if (!(flags & MREMAP_MAYMOVE)) return -ENOMEM;
	struct mapping wanted = *mapping;
	wanted.offset += old - (unsigned long)mapping->address;
	wanted.size = wanted.object_size = new_size;
	wanted.gone = 0;
	if (wanted.inode) {
		if (wanted.is_shared) __byway_mappings_to_file(wanted.inode);
		wanted.object_size = __byway_mapped_part(wanted.inode, wanted.offset, new_size);
	}
	struct mapping *new = add(wanted);
	if (!new) return -ENOMEM;
	if (!new->is_shared || !new->inode) {
		size_t skipped = old - (unsigned long)mapping->address;
		size_t left = mapping->object_size > skipped ? mapping->object_size - skipped : 0;
		__byway_mapping_protect(new, 1);
		memcpy(new->address, (void *)old, left < old_size ? left : old_size);
		__byway_mapping_protect(new, wanted.is_writable);
	}
	__byway_munmap(old, old_size);
	return (long)new->address;
}
