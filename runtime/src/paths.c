/* From a path to the inode it names.
 *
 * A path that depends on input forks for what it can mean, not for its letters: the
 * names there are in a directory are compared as a whole with what the path begins
 * with, and a name that is not there is one way more, whatever it is. Slashes that say
 * nothing, at the beginning and at the end, are counted one by one. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "engine.h"
#include "fs.h"

enum { LINKS_LIMIT = 40 };

/* A path, or what is left of one. */
struct walk {
	const char *path, *end;
	int depends_on_input;
	int has_slash;
	int wants_directory;	/* slashes followed it */
};

static long look_at(const char *path, struct walk *out)
{
	int depends_on_input = 0, has_slash = 0;
	size_t length = 0;

	for (; path[length]; length++) {
		if (length >= PATH_MAX) return -ENAMETOOLONG;
		depends_on_input |= __byway_is_symbolic(path[length]);
		has_slash |= path[length] == '/';
	}
	*out = (struct walk){ path, path + length, depends_on_input, 0, 0 };
	/* If it depends on input, this is a fork. */
	if (!has_slash) return 0;
	out->has_slash = 1;
	for (; out->end > path + 1 && out->end[-1] == '/'; out->end--) out->wants_directory = 1;
	return 0;
}

/* Whether this name is what the path begins with; one fork, however long it is. */
static int begins_with(const struct walk *walk, const char *name, size_t length)
{
	size_t left = walk->end - walk->path;
	int different = 0;

	if (left < length || (left > length && !walk->has_slash)) return 0;
	for (size_t i = 0; i < length; i++) different |= walk->path[i] ^ name[i];
	if (left > length) different |= walk->path[length] ^ '/';
	return !different;
}

static int slash_is_left(const struct walk *walk)
{
	int found = 0;

	for (const char *at = walk->path; walk->has_slash && at < walk->end; at++) found |= *at == '/';
	return found;
}

/* The length of the next name, where that is known without asking what it can be. */
static size_t known_length(const struct walk *walk)
{
	size_t length = 0;

	while (walk->path + length < walk->end && walk->path[length] != '/') length++;
	return length;
}

static long walk(struct inode *at, struct walk walk, int follow, int depth, struct place *out);

/* Where a symbolic link in a directory leads. */
static long walk_link(struct inode *directory, const struct inode *link, int depth,
	struct place *out)
{
	char target[PATH_MAX];
	struct walk walked;

	if (depth >= LINKS_LIMIT) return -ELOOP;
	memcpy(target, link->data, link->size);
	target[link->size] = 0;
	long error = look_at(target, &walked);
	return error ? error : walk(directory, walked, FOLLOW, depth + 1, out);
}

/* A name was found out. */
static long name_is(struct place *out, const char *name, size_t length, struct inode *inode)
{
	memcpy(out->name, name, length);
	out->name[length] = 0;
	out->length = length;
	out->inode = inode;
	return 0;
}

/* The next name is one of those there are, or none of them. */
static long choose(struct inode *at, const struct walk *walk, struct place *out)
{
	out->last_is_dot = 1;
	if (begins_with(walk, ".", 1)) return name_is(out, ".", 1, at);
	if (begins_with(walk, "..", 2)) return name_is(out, "..", 2, at->parent);
	out->last_is_dot = 0;
	__byway_host_fill_directory(at);
	for (size_t i = 0; i < at->count; i++) {
		const char *name = at->entries[i].name;
		if (begins_with(walk, name, strlen(name)))
			return name_is(out, name, strlen(name), at->entries[i].inode);
	}
	if (slash_is_left(walk)) return -ENOENT;
	size_t left = walk->end - walk->path;
	if (left > NAME_MAX) return -ENAMETOOLONG;
	return name_is(out, walk->path, left, 0);
}

/* The next name, which does not depend on input. */
static long find(struct inode *at, const char *name, size_t length, struct place *out)
{
	if (length > NAME_MAX) return -ENAMETOOLONG;
	int is_dot = length == 1 && name[0] == '.';
	int is_parent = length == 2 && name[0] == '.' && name[1] == '.';
	struct entry *entry = is_dot || is_parent ? 0 : __byway_directory_find(at, name, length);

	out->last_is_dot = is_dot || is_parent;
	return name_is(out, name, length,
		is_dot ? at : is_parent ? at->parent : entry ? entry->inode : 0);
}

/* One name more: what it is, in the directory reached so far. */
static long enter(struct inode *at, const struct walk *walk, struct place *out)
{
	if (!S_ISDIR(at->mode)) return -ENOTDIR;
	long error = __byway_inode_permits(at, X_OK);
	if (error) return error;
	out->directory = at;
	if (walk->depends_on_input) return choose(at, walk, out);
	return find(at, walk->path, known_length(walk), out);
}

static long walk(struct inode *at, struct walk walk, int follow, int depth, struct place *out)
{
	if (walk.path == walk.end) return -ENOENT;
	if (walk.has_slash && *walk.path == '/') at = __byway_root();
	*out = (struct place){ .directory = at, .inode = at, .last_is_dot = 1 };
	for (;;) {
		while (walk.has_slash && walk.path < walk.end && *walk.path == '/') walk.path++;
		if (walk.path == walk.end) return 0;
		long error = enter(at, &walk, out);
		if (error) return error;
		walk.path += out->length;
		int is_last = walk.path == walk.end;
		out->wants_directory = !is_last || walk.wants_directory;
		struct inode *found = out->inode;
		if (found && S_ISLNK(found->mode) && (follow || out->wants_directory)) {
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
	if (walked.has_slash && *path == '/') at = __byway_root();
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
