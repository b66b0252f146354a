/* System calls that open, create, rename and remove files by name. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "calls.h"
#include "fs.h"

/* A constant of Linux that musl does not define. */
enum { NO_REPLACE = 1 };

static mode_t mask = 022;

mode_t __byway_umask(mode_t new)
{
	mode_t old = mask;

	mask = new & 0777;
	return old;
}

/* Adding and removing names requires a writable directory; in a sticky directory such
 * as /tmp, users may remove only their own files. */
static long may_change(const struct inode *directory, const struct inode *inode)
{
	if (!directory->links) return -ENOENT;
	long error = __byway_inode_permits(directory, W_OK | X_OK);
	if (error) return error;
	if (inode && directory->mode & S_ISVTX && __byway_ownership(inode).user != BYWAY_USER
		&& directory->user != BYWAY_USER) return -EPERM;
	return 0;
}

/* Adds a name for an inode at a lookup result. */
static long name(const struct place *place, struct inode *inode)
{
	return __byway_directory_add(place->directory, place->name, place->length, place->room,
		inode);
}

/* A new directory; a slash may follow its name. */
static long may_make_directory(const struct place *place, const void *unused)
{
	return place->inode ? -EEXIST : may_change(place->directory, 0);
}

/* Another new file. */
static long may_make(const struct place *place, const void *unused)
{
	if (place->inode) return -EEXIST;
	if (place->wants_directory) return -ENOENT;
	return may_change(place->directory, 0);
}

/* Creates an inode at a name that does not exist yet. */
static long make(const struct place *place, mode_t mode, struct inode **out)
{
	struct inode *inode = __byway_inode_new(mode);

	if (!inode) return -ENOSPC;
	long error = name(place, inode);
	if (error) {
		__byway_inode_release(inode);
		return error;
	}
	*out = inode;
	return 0;
}

static long open_descriptor_again(int fd, int flags)
{
	struct file *file = __byway_fd_file(fd);

	if (!file) return -ENOENT;
	file->holders++;
	return __byway_fd_new(file, flags & O_CLOEXEC ? FD_CLOEXEC : 0);
}

static int wanted_access(int flags)
{
	if (flags & O_PATH) return 0;
	switch (flags & O_ACCMODE) {
	case O_RDONLY: return R_OK | (flags & O_TRUNC ? W_OK : 0);
	case O_WRONLY: return W_OK;
	default: return R_OK | W_OK;
	}
}

/* A file without a name. */
static long open_temporary(const struct place *place, int flags, mode_t mode, struct inode **out)
{
	if (!place->inode) return -ENOENT;
	if (!S_ISDIR(place->inode->mode)) return -ENOTDIR;
	if ((flags & O_ACCMODE) == O_RDONLY) return -EINVAL;
	long error = may_change(place->inode, 0);
	if (error) return error;
	*out = __byway_inode_new(S_IFREG | (mode & ~mask & 07777));
	return *out ? 0 : -ENOSPC;
}

static long open_existing(struct inode *inode, int flags)
{
	if (flags & O_CREAT && flags & O_EXCL) return -EEXIST;
	if (flags & O_CREAT && S_ISDIR(inode->mode)) return -EISDIR;
	if (flags & O_DIRECTORY && !S_ISDIR(inode->mode)) return -ENOTDIR;
	if (flags & O_NOFOLLOW && S_ISLNK(inode->mode) && !(flags & O_PATH)) return -ELOOP;
	return __byway_inode_permits(inode, wanted_access(flags));
}

static int is_temporary(int flags)
{
	return (flags & O_TMPFILE) == O_TMPFILE;
}

static long may_open(const struct place *place, const void *context)
{
	int flags = *(const int *)context;

	if (is_temporary(flags)) return 0;
	if (flags & O_CREAT && !place->last_is_dot && place->wants_directory) return -EISDIR;
	if (place->inode) return open_existing(place->inode, flags);
	return flags & O_CREAT ? may_change(place->directory, 0) : -ENOENT;
}

static long find_or_make(int start, const char *path, int flags, mode_t mode, struct inode **out)
{
	struct place place;
	int exclusive = flags & O_CREAT && flags & O_EXCL;
	int follow = (exclusive || flags & O_NOFOLLOW ? 0 : FOLLOW)
		| (flags & O_CREAT ? MAKE | NEW : LOOK);
	long error = __byway_path_place(start, path, follow, may_open, &flags, &place);

	if (error) return error;
	if (is_temporary(flags)) return open_temporary(&place, flags, mode, out);
	*out = place.inode;
	return place.inode ? 0 : make(&place, S_IFREG | (mode & ~mask & 07777), out);
}

long __byway_open(int start, const char *path, int flags, mode_t mode)
{
	struct inode *inode;
	struct file *file;
	const int only_for_opening = O_CREAT | O_EXCL | O_TRUNC | O_NOCTTY | O_CLOEXEC;
	long error = find_or_make(start, path, flags, mode, &inode);

	if (error) return error;
	if (inode->device >= DEVICE_DESCRIPTOR_0)
		return open_descriptor_again(inode->device - DEVICE_DESCRIPTOR_0, flags);
	if ((error = __byway_file_open(inode, flags & ~only_for_opening, &file))) {
		__byway_inode_release(inode);
		return error;
	}
	if (flags & O_TRUNC && S_ISREG(inode->mode) && !(flags & O_PATH) && inode->size) {
		__byway_inode_resize(inode, 0);
		__byway_inode_touch(inode);
	}
	return __byway_fd_new(file, flags & O_CLOEXEC ? FD_CLOEXEC : 0);
}

long __byway_mkdir(int start, const char *path, mode_t mode)
{
	struct place place;
	struct inode *inode;
	long error = __byway_path_place(start, path, MAKE | NEW | ITSELF, may_make_directory, 0, &place);

	return error ? error : make(&place, S_IFDIR | (mode & ~mask & 01777), &inode);
}

/* Only root may create devices. */
static long may_make_node(const struct place *place, const void *context)
{
	mode_t kind = *(const mode_t *)context;

	if (place->inode) return -EEXIST;
	if (place->wants_directory) return -ENOENT;
	if (kind == S_IFCHR || kind == S_IFBLK) return -EPERM;
	if (kind != S_IFREG && kind != S_IFIFO && kind != S_IFSOCK) return -EINVAL;
	return may_change(place->directory, 0);
}

long __byway_mknod(int start, const char *path, mode_t mode)
{
	struct place place;
	struct inode *inode;
	mode_t kind = mode & S_IFMT ? mode & S_IFMT : S_IFREG;
	long error = __byway_path_place(start, path, MAKE | NEW | ITSELF, may_make_node, &kind, &place);

	return error ? error : make(&place, kind | (mode & ~mask & 07777), &inode);
}

static long may_make_link(const struct place *place, const void *context)
{
	const long *length = context;

	if (!*length) return -ENOENT;
	if (*length >= PATH_MAX) return -ENAMETOOLONG;
	return may_make(place, 0);
}

long __byway_symlink(const char *target, int start, const char *path)
{
	struct place place;
	struct inode *inode;
	long length = strlen(target);
	long error = __byway_path_place(start, path, MAKE | NEW | ITSELF, may_make_link, &length,
		&place);

	if (!error) error = make(&place, S_IFLNK | 0777, &inode);
	if (error) return error;
	long put = __byway_inode_write(inode, 0, target, length);
	return put < 0 ? put : 0;
}

long __byway_readlink(int start, const char *path, char *out, size_t size)
{
	struct inode *inode;
	int empty = start == AT_FDCWD ? 0 : AT_EMPTY_PATH;
	long error = __byway_path_at(start, path, empty | AT_SYMLINK_NOFOLLOW, &inode);

	if (error) return error;
	if (!S_ISLNK(inode->mode) || !size) return -EINVAL;
	return __byway_inode_read(inode, 0, out, size);
}

/* A new name for a file. */
static long may_link(const struct place *place, const void *context)
{
	const struct inode *inode = context;

	if (place->inode) return -EEXIST;
	if (S_ISDIR(inode->mode)) return -EPERM;
	return may_make(place, 0);
}

long __byway_link(int from, const char *old, int to, const char *new, int flags)
{
	struct place place;
	struct inode *inode;
	int follow = flags & AT_SYMLINK_FOLLOW ? 0 : AT_SYMLINK_NOFOLLOW;
	long error = __byway_path_at(from, old, follow | (flags & AT_EMPTY_PATH), &inode);

	if (!error) error = __byway_path_place(to, new, MAKE | NEW | ITSELF, may_link, inode, &place);
	if (error) return error;
	inode->changed = __byway_fs_now();
	return name(&place, inode);
}

static void drop(const struct place *place)
{
	struct inode *inode = place->inode;

	__byway_directory_remove(place->directory,
		__byway_directory_at(place->directory, place->position));
	__byway_inode_release(inode);
}

static int is_empty(struct inode *directory)
{
	__byway_host_fill_directory(directory);
	return !directory->count;
}

static long may_remove_directory(const struct place *place, const void *unused)
{
	if (!place->inode) return -ENOENT;
	if (!S_ISDIR(place->inode->mode)) return -ENOTDIR;
	if (place->last_is_dot && place->length) return place->length == 1 ? -EINVAL : -ENOTEMPTY;
	if (place->inode == __byway_root()) return -EBUSY;
	if (!is_empty(place->inode)) return -ENOTEMPTY;
	return may_change(place->directory, place->inode);
}

static long may_remove(const struct place *place, const void *unused)
{
	if (!place->inode) return -ENOENT;
	if (S_ISDIR(place->inode->mode)) return -EISDIR;
	return may_change(place->directory, place->inode);
}

long __byway_unlink(int start, const char *path, int flags)
{
	struct place place;
	path_check *check = flags & AT_REMOVEDIR ? may_remove_directory : may_remove;
	long error = __byway_path_place(start, path, ITSELF, check, 0, &place);

	if (error) return error;
	drop(&place);
	return 0;
}

static int is_within(const struct inode *directory, const struct inode *outer)
{
	for (; directory != outer; directory = directory->parent)
		if (directory == directory->parent) return 0;
	return 1;
}

/* Whether rename may replace the existing target. */
static long may_replace(struct inode *new, struct inode *old)
{
	if (S_ISDIR(new->mode) && !S_ISDIR(old->mode)) return -ENOTDIR;
	if (!S_ISDIR(new->mode) && S_ISDIR(old->mode)) return -EISDIR;
	if (S_ISDIR(old->mode) && !is_empty(old)) return -ENOTEMPTY;
	return 0;
}

long __byway_rename(int from, const char *old, int to, const char *new, unsigned flags)
{
	struct place source, target;
	long error = __byway_path_place(from, old, ITSELF, 0, 0, &source);

	if (flags & ~NO_REPLACE)
		return __byway_not_modelled("system call renameat2: flags", -EINVAL);
	if (!error) error = __byway_path_place(to, new, NEW | ITSELF, 0, 0, &target);
	if (error) return error;
	if (!source.inode) return -ENOENT;
	if (source.last_is_dot || target.last_is_dot) return -EBUSY;
	if (target.inode && flags & NO_REPLACE) return -EEXIST;
	if (!S_ISDIR(source.inode->mode) && target.wants_directory) return -ENOTDIR;
	if (S_ISDIR(source.inode->mode) && is_within(target.directory, source.inode)) return -EINVAL;
	if (source.inode == target.inode) return 0;
	if ((error = may_change(source.directory, source.inode))) return error;
	if ((error = may_change(target.directory, target.inode))) return error;
	if (target.inode) {
		if (S_ISDIR(target.inode->mode) && is_within(source.directory, target.inode))
			return -ENOTEMPTY;
		if ((error = may_replace(source.inode, target.inode))) return error;
		drop(&target);
	}
	__byway_directory_remove(source.directory,
		__byway_directory_at(source.directory, source.position));
	return name(&target, source.inode);
}

static long enter(struct inode *directory)
{
	struct inode **current = __byway_current_directory();

	if (!S_ISDIR(directory->mode)) return -ENOTDIR;
	long error = __byway_inode_permits(directory, X_OK);
	if (error) return error;
	(*current)->opens--;
	directory->opens++;
	*current = directory;
	return 0;
}

long __byway_chdir(const char *path)
{
	struct inode *inode;
	long error = __byway_path_inode(AT_FDCWD, path, FOLLOW, &inode);

	return error ? error : enter(inode);
}

long __byway_fchdir(int fd)
{
	struct file *file = __byway_fd_file(fd);

	return file ? enter(file->inode) : -EBADF;
}

long __byway_getcwd(char *out, size_t size)
{
	return __byway_directory_path(*__byway_current_directory(), out, size);
}
