/* Inodes: files, directories, links and devices, without their names. */

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "calls.h"
#include "engine.h"
#include "fs.h"
#include "pages.h"
#include "symbolic_input.h"

void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void __libc_free(void *);

/* The initial capacity of a file, which then doubles as it grows. */
enum { LEAST_ROOM = 64 };

/* The largest file that is read without knowing its size. */
enum { PIECE = 4096 };

/* The first three numbers belong to the standard streams. */
static unsigned long last_number = 3;

struct timespec __byway_fs_now(void)
{
	struct timespec now;

	__byway_clock_gettime(CLOCK_REALTIME, &now);
	return now;
}

/* Null when out of memory. */
struct inode *__byway_inode_new(mode_t mode)
{
	struct inode *inode = __libc_calloc(1, sizeof *inode);

	if (!inode) return 0;
	inode->number = ++last_number;
	inode->mode = mode;
	inode->user = BYWAY_USER;
	inode->group = BYWAY_GROUP;
	inode->accessed = inode->modified = inode->changed = __byway_fs_now();
	return inode;
}

void __byway_inode_release(struct inode *inode)
{
	if (inode->links || inode->opens) return;
	/* The standard streams are not on the heap; and a removed directory is still the
	 * parent of its children, one of which may be the working directory. */
	if (inode->device || S_ISDIR(inode->mode)) return;
	__libc_free(inode->data);
	__libc_free(inode->host);
	__libc_free(inode);
}

/* Updates the times for a change of the content. */
void __byway_inode_touch(struct inode *inode)
{
	inode->modified = inode->changed = __byway_fs_now();
	__byway_status_set(inode, STATUS_MODIFIED);
}

static long make_room(struct inode *inode, size_t size)
{
	size_t room = inode->room ? inode->room : LEAST_ROOM;

	if (size <= inode->room) return 0;
	if (size > BYWAY_FILE_LIMIT) return -EFBIG;
	while (room < size) room *= 2;
	unsigned char *data = __libc_realloc(inode->data, room);
	if (!data) return -ENOSPC;
	inode->data = data;
	inode->room = room;
	return 0;
}

long __byway_inode_resize(struct inode *inode, size_t size)
{
	if (inode->shared_mappings) __byway_mappings_to_file(inode);
	long error = make_room(inode, size);
	if (error) return error;
	if (size > inode->size) memset(inode->data + inode->size, 0, size - inode->size);
	inode->size = size;
	if (inode->shared_mappings) __byway_file_to_mappings(inode);
	return 0;
}

/* Reads from a file of symbolic size without a fork: bytes beyond the size keep their
 * previous values in the buffer. The file's whole capacity is readable. */
static size_t read_unasked(const struct inode *inode, size_t offset, unsigned char *out,
	size_t count)
{
	static unsigned char piece[PIECE];
	size_t room = inode->room - offset;
	size_t is_longer = inode->size > offset;
	size_t left = offset ? (inode->size - offset) & -is_longer : inode->size;
	size_t got = count >= room ? left : left < count ? left : count;

	if (count > room) count = room;
	/* Copies, unlike reads, may copy uninitialised bytes. */
	memcpy(piece, out, count);
	for (size_t i = 0; i < count; i++) {
		unsigned char kept = -(i < got);
		piece[i] = (inode->data[offset + i] & kept) | (piece[i] & ~kept);
	}
	memcpy(out, piece, count);
	return got;
}

long __byway_inode_read(struct inode *inode, size_t offset, void *out, size_t count)
{
	if (inode->shared_mappings) __byway_mappings_to_file(inode);
	if (__byway_is_symbolic(inode->size)) {
		size_t left = inode->size - offset;
		if (!__byway_is_symbolic(left) && !left) return 0;
		if (!__byway_is_symbolic(offset) && offset < inode->room
			&& inode->room - offset <= PIECE && !__byway_is_symbolic(count))
			return read_unasked(inode, offset, out, count);
	}
	if (offset >= inode->size) return 0;
	if (count > inode->size - offset) count = inode->size - offset;
	if (count) memcpy(out, inode->data + offset, count);
	return count;
}

long __byway_inode_write(struct inode *inode, size_t offset, const void *bytes, size_t count)
{
	if (!count) return 0;
	if (offset > BYWAY_FILE_LIMIT || count > BYWAY_FILE_LIMIT) return -EFBIG;
	if (offset > inode->size) {
		long error = __byway_inode_resize(inode, offset);
		if (error) return error;
	}
	long error = make_room(inode, offset + count);
	if (error) return error;
	if (inode->shared_mappings) __byway_mappings_to_file(inode);
	memcpy(inode->data + offset, bytes, count);
	if (offset + count > inode->size) inode->size = offset + count;
	if (inode->shared_mappings) __byway_file_to_mappings(inode);
	__byway_inode_touch(inode);
	return count;
}

long __byway_inode_permits(const struct inode *inode, int wanted)
{
	struct ownership of = __byway_ownership(inode);
	int is_user = of.user == BYWAY_USER, is_group = !is_user & (of.group == BYWAY_GROUP);
	/* Without a branch: symbolic permissions fork by the result alone. */
	int granted = (of.mode >> 6 & -is_user) | (of.mode >> 3 & -is_group)
		| (of.mode & -(!is_user & !is_group));

	return wanted & ~granted & 7 ? -EACCES : 0;
}
