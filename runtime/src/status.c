/* System calls that read and change the metadata of inodes: size, permissions,
 * owner, times. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "calls.h"
#include "fs.h"
#include "kstat.h"
#include "signals.h"
#include "streams.h"
#include "symbolic_input.h"

enum { BLOCK = 4096, SECTOR = 512, ENTRY = 20, FILE_SYSTEM = 1, TMPFS_MAGIC = 0x01021994 };

static size_t size_of(const struct inode *inode)
{
	/* As on tmpfs, counting "." and ".."; host directories have a size. */
	if (S_ISDIR(inode->mode) && !inode->host) return (inode->count + 2) * ENTRY;
	return S_ISFIFO(inode->mode) ? 0 : inode->size;
}

static size_t sectors_of(const struct inode *inode)
{
	return S_ISREG(inode->mode) ? (inode->size + BLOCK - 1) / BLOCK * (BLOCK / SECTOR) : 0;
}

/* Linux's device numbers. A stream that is a character device is a terminal. */
static dev_t device_number(const struct inode *inode)
{
	if (__byway_is_stream(inode)) return S_ISCHR(inode->mode) ? makedev(136, 0) : 0;
	switch (inode->device) {
	case DEVICE_NULL: return makedev(1, 3);
	case DEVICE_ZERO: return makedev(1, 5);
	case DEVICE_FULL: return makedev(1, 7);
	case DEVICE_RANDOM: return makedev(1, 9);
	case DEVICE_TERMINAL: return makedev(5, 0);
	default: return 0;
	}
}

/* /dev/stdin and so on have the status of the open descriptor. */
static long seen_through(struct inode **inode)
{
	if ((*inode)->device < DEVICE_DESCRIPTOR_0) return 0;
	struct file *file = __byway_fd_file((*inode)->device - DEVICE_DESCRIPTOR_0);
	if (!file) return -ENOENT;
	*inode = file->inode;
	__byway_stream_settle(*inode);
	return 0;
}

long __byway_stat(int start, const char *path, struct kstat *out, int flags)
{
	struct inode *inode;
	long error = __byway_path_at(start, path, flags, &inode);

	if (!error) error = seen_through(&inode);
	if (error) return error;
	*out = (struct kstat){
		.st_dev = FILE_SYSTEM,
		.st_ino = inode->number,
		.st_nlink = inode->links,
		.st_mode = inode->mode,
		.st_uid = inode->user,
		.st_gid = inode->group,
		.st_rdev = device_number(inode),
		.st_size = size_of(inode),
		.st_blksize = BLOCK,
		.st_blocks = sectors_of(inode),
		.st_atime_sec = inode->accessed.tv_sec,
		.st_atime_nsec = inode->accessed.tv_nsec,
		.st_mtime_sec = inode->modified.tv_sec,
		.st_mtime_nsec = inode->modified.tv_nsec,
		.st_ctime_sec = inode->changed.tv_sec,
		.st_ctime_nsec = inode->changed.tv_nsec,
	};
	__byway_vary_status(inode, out);
	return 0;
}

/* The layout of the kernel's structure of this name. */
struct statx_time { int64_t seconds; uint32_t nanoseconds; int32_t padding; };
struct statx_fields {
	uint32_t mask, block_size;
	uint64_t attributes;
	uint32_t links, user, group;
	uint16_t mode, padding;
	uint64_t number, size, sectors, attributes_mask;
	struct statx_time accessed, born, changed, modified;
	uint32_t device_major, device_minor, file_system_major, file_system_minor;
	uint64_t spare[14];
};

long __byway_statx(int start, const char *path, int flags, struct statx_fields *out)
{
	enum { BASIC_FIELDS = 0x7ff };
	struct inode *inode;
	long error = __byway_path_at(start, path, flags, &inode);

	if (!error) error = seen_through(&inode);
	if (error) return error;
	struct kstat seen = { .st_mode = inode->mode, .st_nlink = inode->links,
		.st_uid = inode->user, .st_gid = inode->group,
		.st_atime_sec = inode->accessed.tv_sec, .st_mtime_sec = inode->modified.tv_sec,
		.st_ctime_sec = inode->changed.tv_sec };
	__byway_vary_status(inode, &seen);
	*out = (struct statx_fields){
		.mask = BASIC_FIELDS,
		.block_size = BLOCK,
		.links = seen.st_nlink,
		.user = seen.st_uid,
		.group = seen.st_gid,
		.mode = seen.st_mode,
		.number = inode->number,
		.size = size_of(inode),
		.sectors = sectors_of(inode),
		.accessed = { seen.st_atime_sec, inode->accessed.tv_nsec },
		.changed = { seen.st_ctime_sec, inode->changed.tv_nsec },
		.modified = { seen.st_mtime_sec, inode->modified.tv_nsec },
		.device_major = major(device_number(inode)),
		.device_minor = minor(device_number(inode)),
		.file_system_minor = FILE_SYSTEM,
	};
	return 0;
}

long __byway_access(int start, const char *path, int wanted, int flags)
{
	struct inode *inode;
	long error = __byway_path_at(start, path, flags, &inode);

	if (wanted & ~(R_OK | W_OK | X_OK)) return -EINVAL;
	return error ? error : __byway_inode_permits(inode, wanted);
}

static int is_own(const struct inode *inode)
{
	return __byway_ownership(inode).user == BYWAY_USER;
}

long __byway_chmod(int start, const char *path, mode_t mode, int flags)
{
	struct inode *inode;
	long error = __byway_path_at(start, path, flags, &inode);

	if (error) return error;
	if (S_ISLNK(inode->mode)) return -EOPNOTSUPP;
	if (!is_own(inode)) return -EPERM;
	inode->mode = (inode->mode & S_IFMT) | (mode & 07777);
	inode->changed = __byway_fs_now();
	__byway_status_set(inode, STATUS_MODE);
	return 0;
}

/* An ordinary user cannot change the owner: only a call without a change succeeds. */
long __byway_chown(int start, const char *path, uid_t user, gid_t group, int flags)
{
	struct inode *inode;
	long error = __byway_path_at(start, path, flags, &inode);

	if (error) return error;
	if (user != (uid_t)-1 && (!is_own(inode) || user != BYWAY_USER)) return -EPERM;
	if (group != (gid_t)-1 && (!is_own(inode) || group != BYWAY_GROUP)) return -EPERM;
	inode->changed = __byway_fs_now();
	__byway_status_set(inode, (user != (uid_t)-1 ? STATUS_USER : 0)
		| (group != (gid_t)-1 ? STATUS_GROUP : 0));
	return 0;
}

static int sets_time(const struct timespec *new)
{
	return !new || new->tv_nsec != UTIME_OMIT;
}

static void set_time(struct timespec *time, const struct timespec *new, struct timespec now)
{
	if (sets_time(new)) *time = !new || new->tv_nsec == UTIME_NOW ? now : *new;
}

/* A null path means the descriptor itself. */
long __byway_utimens(int start, const char *path, const struct timespec times[2], int flags)
{
	struct inode *inode;
	struct timespec now = __byway_fs_now();
	long error = __byway_path_at(start, path ? path : "", path ? flags : AT_EMPTY_PATH, &inode);

	if (error) return error;
	if (!is_own(inode)) return times ? -EPERM : __byway_inode_permits(inode, W_OK);
	const struct timespec *accessed = times ? &times[0] : 0, *modified = times ? &times[1] : 0;
	set_time(&inode->accessed, accessed, now);
	set_time(&inode->modified, modified, now);
	inode->changed = now;
	__byway_status_set(inode, (sets_time(accessed) ? STATUS_ACCESSED : 0)
		| (sets_time(modified) ? STATUS_MODIFIED : 0));
	return 0;
}

static long resize(struct inode *inode, long size)
{
	__byway_stream_settle(inode);
	if (size < 0 || S_ISFIFO(inode->mode) || inode->device) return -EINVAL;
	if (S_ISDIR(inode->mode)) return -EISDIR;
	long error = __byway_host_fill_file(inode);
	if (!error && (size_t)size > inode->size && (size_t)size - inode->size
		> __byway_file_allowance(inode->size)) {
		__byway_send_signal(SIGXFSZ);
		return -EFBIG;
	}
	if (!error) error = __byway_inode_resize(inode, size);
	if (!error) __byway_inode_touch(inode);
	return error;
}

long __byway_truncate(const char *path, long size)
{
	struct inode *inode;
	long error = __byway_path_inode(AT_FDCWD, path, FOLLOW, &inode);

	if (!error && S_ISREG(inode->mode)) error = __byway_inode_permits(inode, W_OK);
	return error ? error : resize(inode, size);
}

static int is_open_to_write(const struct file *file)
{
	return !(file->flags & O_PATH) && (file->flags & O_ACCMODE) != O_RDONLY;
}

long __byway_ftruncate(int fd, long size)
{
	struct file *file = __byway_fd_file(fd);

	if (!file) return -EBADF;
	return is_open_to_write(file) ? resize(file->inode, size) : -EINVAL;
}

/* Space is allocated by extending the file. */
long __byway_fallocate(int fd, int mode, long offset, long count)
{
	struct file *file = __byway_fd_file(fd);

	if (!file || !is_open_to_write(file)) return -EBADF;
	if (offset < 0 || count <= 0) return -EINVAL;
	__byway_stream_settle(file->inode);
	if (!S_ISREG(file->inode->mode)) return S_ISFIFO(file->inode->mode) ? -ESPIPE : -ENODEV;
	if (mode) return -EOPNOTSUPP;
	long end;
	if (__builtin_add_overflow(offset, count, &end)) return -EFBIG;
	return (size_t)end > file->inode->size ? resize(file->inode, end) : 0;
}

/* There is no storage to synchronise with. */
long __byway_fsync(int fd)
{
	struct file *file = __byway_fd_file(fd);

	if (!file) return -EBADF;
	__byway_stream_settle(file->inode);
	return S_ISREG(file->inode->mode) || S_ISDIR(file->inode->mode) ? 0 : -EINVAL;
}

static long describe_file_system(struct statfs *out)
{
	enum { BLOCKS = 1 << 20, FILES = 1 << 20 };

	*out = (struct statfs){
		.f_type = TMPFS_MAGIC,
		.f_bsize = BLOCK,
		.f_blocks = BLOCKS,
		.f_bfree = BLOCKS,
		.f_bavail = BLOCKS,
		.f_files = FILES,
		.f_ffree = FILES,
		.f_namelen = NAME_MAX,
		.f_frsize = BLOCK,
	};
	return 0;
}

long __byway_statfs(const char *path, struct statfs *out)
{
	struct inode *inode;
	long error = __byway_path_inode(AT_FDCWD, path, FOLLOW, &inode);

	return error ? error : describe_file_system(out);
}

long __byway_fstatfs(int fd, struct statfs *out)
{
	return __byway_fd_file(fd) ? describe_file_system(out) : -EBADF;
}
