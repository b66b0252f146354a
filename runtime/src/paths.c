/* From a path to the inode it names.
 *
 * A path that depends on input and has no slash is one name: it is compared with
 * each name there is as a whole, so that a fork tells which file is meant and not
 * what its letters are. One with slashes forks for the places they can be at if it
 * is short; a longer one is held to a single value of its own, and that is counted. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "engine.h"
#include "fs.h"

enum { LINKS_LIMIT = 40 };

/* So many bytes can have slashes in 16 ways. */
enum { SHORT_PATH = 4 };

/* A path as far as it can be walked. */
struct walk {
	const char *path;
	int is_one_name;
};

static char fixed[PATH_MAX];

static long look_at(const char *path, struct walk *out)
{
	int depends_on_input = 0, has_slash = 0;
	size_t length = 0;

	for (; path[length]; length++) {
		if (length >= PATH_MAX) return -ENAMETOOLONG;
		depends_on_input |= __byway_is_symbolic(path[length]);
		has_slash |= path[length] == '/';
	}
	*out = (struct walk){ path, 0 };
	if (!depends_on_input) return 0;
	if (!has_slash) {
		out->is_one_name = 1;
		return 0;
	}
	if (length <= SHORT_PATH) return 0;
	for (size_t i = 0; i < length; i++) {
		fixed[i] = __byway_value((unsigned char)path[i]);
		__byway_assume(path[i] == fixed[i]);
	}
	fixed[length] = 0;
	__byway_warn("a path of several names that depends on input, held to one value");
	out->path = fixed;
	return 0;
}

static int is_dots(const char *name, size_t length, size_t count)
{
	int different = 0;

	if (length != count) return 0;
	for (size_t i = 0; i < count; i++) different |= name[i] ^ '.';
	return !different;
}

static long walk(struct inode *at, struct walk walk, int follow, int depth, struct place *out);

/* Where a symbolic link in a directory leads. */
static long walk_link(struct inode *directory, const struct inode *link, int depth,
	struct place *out)
{
	char target[PATH_MAX];

	if (depth >= LINKS_LIMIT) return -ELOOP;
	memcpy(target, link->data, link->size);
	target[link->size] = 0;
	return walk(directory, (struct walk){ target, 0 }, FOLLOW, depth + 1, out);
}

/* One name more: what it is, in the directory reached so far. */
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
		struct entry *entry = __byway_directory_find(at, name, length);
		out->inode = entry ? entry->inode : 0;
		out->last_is_dot = 0;
	}
	return 0;
}

static long walk(struct inode *at, struct walk walk, int follow, int depth, struct place *out)
{
	const char *path = walk.path;

	if (!*path) return -ENOENT;
	if (!walk.is_one_name && *path == '/') at = __byway_root();
	*out = (struct place){ .directory = at, .inode = at, .last_is_dot = 1 };
	for (;;) {
		while (!walk.is_one_name && *path == '/') path++;
		if (!*path) return 0;
		size_t length = walk.is_one_name ? strlen(path) : strcspn(path, "/");
		long error = enter(at, path, length, out);
		if (error) return error;
		path += length;
		int is_last = 1;
		if (*path) {
			out->wants_directory = 1;
			is_last = !path[strspn(path, "/")];
		}
		struct inode *found = out->inode;
		if (found && S_ISLNK(found->mode) && (!is_last || follow || out->wants_directory)) {
			int wants_directory = out->wants_directory;
			error = walk_link(at, found, depth, out);
			if (error) return error;
			out->wants_directory |= wants_directory;
			found = out->inode;
		}
		if (is_last) {
			if (found && out->wants_directory && !S_ISDIR(found->mode)) return -ENOTDIR;
			return 0;
		}
		if (!found) return -ENOENT;
		out->wants_directory = 0;
		at = found;
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

long __byway_path_place(int start, const char *path, int follow, struct place *out)
{
	struct inode *at;
	struct walk walked;
	long error = look_at(path, &walked);

	if (error) return error;
	if (!walked.is_one_name && *walked.path == '/') at = __byway_root();
	else if ((error = directory_of(start, &at))) return error;
	return walk(at, walked, follow, 0, out);
}

long __byway_path_inode(int start, const char *path, int follow, struct inode **out)
{
	struct place place;
	long error = __byway_path_place(start, path, follow, &place);

	if (error) return error;
	*out = place.inode;
	return place.inode ? 0 : -ENOENT;
}

long __byway_path_at(int start, const char *path, int flags, struct inode **out)
{
	if (flags & AT_EMPTY_PATH && !*path) {
		if (start == AT_FDCWD) {
			*out = *__byway_current_directory();
			return 0;
		}
		struct file *file = __byway_fd_file(start);
		if (!file) return -EBADF;
		*out = file->inode;
		return 0;
	}
	return __byway_path_inode(start, path, flags & AT_SYMLINK_NOFOLLOW ? 0 : FOLLOW, out);
}
