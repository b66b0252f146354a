/* Resolves a path to the inode it names. Symbolic paths are handled in
 * src/input_paths.c. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "engine.h"
#include "fs.h"
#include "streams.h"

enum { LINKS_LIMIT = 40 };

static int is_dots(const char *name, size_t length, size_t count)
{
	int different = 0;

	if (length != count) return 0;
	for (size_t i = 0; i < count; i++) different |= name[i] ^ '.';
	return !different;
}

/* Resolves a symbolic link in a directory. */
static long walk_link(struct inode *directory, const struct inode *link, int depth,
	struct place *out)
{
	char target[PATH_MAX];

	if (depth >= LINKS_LIMIT) return -ELOOP;
	memcpy(target, link->data, link->size);
	target[link->size] = 0;
	return __byway_path_walk(directory, target, FOLLOW, depth + 1, out);
}

/* Resolves the next name in the directory reached so far. */
static long enter(struct inode *at, const char *name, size_t length, struct place *out)
{
	if (!S_ISDIR(at->mode)) return -ENOTDIR;
	long error = __byway_inode_permits(at, X_OK);
	if (error) return error;
	if (length > NAME_MAX) return -ENAMETOOLONG;
	memcpy(out->name, name, length);
	out->name[length] = 0;
	out->length = length;
	out->directory = at;
	out->last_is_dot = 1;
	if (is_dots(name, length, 1)) {
		out->inode = at;
	} else if (is_dots(name, length, 2)) {
		out->inode = at->parent;
	} else {
		struct entry *entry = __byway_directory_find(at, out->name, length);
		out->inode = entry ? entry->inode : 0;
		out->position = entry ? entry->position : 0;
		out->last_is_dot = 0;
	}
	return 0;
}

/* Goes from the name to what it stands for: through a link, if it is followed. */
long __byway_path_arrive(struct inode *at, int follow, int is_last, int depth, struct place *out)
{
	int wants_directory = out->wants_directory;
	int follows = !is_last || follow & FOLLOW || (wants_directory && !(follow & ITSELF));

	if (out->inode && S_ISLNK(out->inode->mode) && follows) {
		long error = walk_link(at, out->inode, depth, out);
		if (error) return error;
		out->wants_directory |= wants_directory;
	}
	if (!is_last) return out->inode ? 0 : -ENOENT;
	int is_wrong = out->inode && out->wants_directory && !S_ISDIR(out->inode->mode);
	return is_wrong && !(follow & MAKE) ? -ENOTDIR : 0;
}

long __byway_path_walk(struct inode *at, const char *path, int follow, int depth,
	struct place *out)
{
	if (!*path) return -ENOENT;
	if (*path == '/') at = __byway_root();
	*out = (struct place){ .directory = at, .inode = at, .last_is_dot = 1 };
	for (;;) {
		while (*path == '/') path++;
		if (!*path) return 0;
		size_t length = strcspn(path, "/");
		long error = enter(at, path, length, out);
		if (error) return error;
		path += length;
		out->wants_directory = *path != 0;
		int is_last = !path[strspn(path, "/")];
		error = __byway_path_arrive(at, follow, is_last, depth, out);
		if (error || is_last) return error;
		at = out->inode;
	}
}

static long directory_of(int start, struct inode **out)
{
	if (start == AT_FDCWD) {
		*out = *__byway_current_directory();
		return 0;
	}
	struct file *file = __byway_fd_file(start);
	if (!file) return -EBADF;
	*out = file->inode;
	return S_ISDIR(file->inode->mode) ? 0 : -ENOTDIR;
}

/* For an absolute path, the start directory is not checked. */
static int is_absolute(const char *path, size_t input)
{
	return !(input && __byway_is_symbolic(*path)) && *path == '/';
}

long __byway_path_place(int start, const char *path, int follow, path_check *check,
	const void *context, struct place *out)
{
	struct inode *at;
	size_t input = __byway_path_input(path);
	long error = 0;

	if (is_absolute(path, input)) at = __byway_root();
	else error = directory_of(start, &at);
	if (error) return error;
	if (input) return __byway_input_place(at, path, input, follow, check, context, out);
	if (strlen(path) >= PATH_MAX) return -ENAMETOOLONG;
	error = __byway_path_walk(at, path, follow, 0, out);
	return error || !check ? error : check(out, context);
}

long __byway_link_target(struct inode *directory, struct inode **link)
{
	struct place place;
	const struct inode *from = *link;
	long error = walk_link(directory, from, 0, &place);

	*link = error ? 0 : place.inode;
	return error ? error : *link ? 0 : -ENOENT;
}

long __byway_path_inode(int start, const char *path, int follow, struct inode **out)
{
	struct place place;
	long error = __byway_path_place(start, path, follow | LOOK, 0, 0, &place);

	if (error) return error;
	*out = place.inode;
	return place.inode ? 0 : -ENOENT;
}

long __byway_path_at(int start, const char *path, int flags, struct inode **out)
{
	if (flags & AT_EMPTY_PATH && !__byway_path_input(path) && !*path) {
		if (start == AT_FDCWD) {
			*out = *__byway_current_directory();
			return 0;
		}
		struct file *file = __byway_fd_file(start);
		if (!file) return -EBADF;
		*out = file->inode;
		__byway_stream_settle(*out);
		return 0;
	}
	return __byway_path_inode(start, path, flags & AT_SYMLINK_NOFOLLOW ? 0 : FOLLOW, out);
}
