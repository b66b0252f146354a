/* Paths that depend on input. Resolving such a path should fork once per file it can
 * name, not once for each of its bytes or lengths:
 *
 * - The concrete bytes before the first symbolic byte are resolved normally.
 * - The rest is compared as a whole with each name in the directory: one fork case per
 *   name, and one for all other names.
 * - A path that continues with a slash after an existing name forks for the possible
 *   positions of its slashes if it is short; src/input_lookup.c forks less where only
 *   the inode matters. A longer path is concretised to a single value, which is
 *   counted. */

#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "engine.h"
#include "fs.h"

/* This many bytes have 16 combinations of slashes. */
enum { FORKING_PATH = 4 };

/* A path in memory ends at the latest at a concrete zero. If the object has none,
 * searching for the end forks, and faults if there is no end. */
size_t __byway_path_input(const char *path)
{
	size_t room = __byway_room(path), length = 0;
	int depends_on_input = 0;

	if (!room) room = strlen(path) + 1;
	for (; length < room; length++) {
		int is_input = __byway_is_symbolic(path[length]);
		depends_on_input |= is_input;
		if (!is_input && !path[length]) return depends_on_input ? length + 1 : 0;
	}
	return strlen(path) + 1;
}

int __byway_is_name(const char *name, size_t name_room, const char *bytes, size_t room,
	char then)
{
	int is_same = 1, found = 0;

	for (size_t i = 0; i < name_room && i < room; i++) {
		found |= is_same & (name[i] == 0) & (bytes[i] == then);
		is_same &= (name[i] == bytes[i]) & (name[i] != 0);
		/* Not a fork: the byte is concrete, or the loop continues. */
		if (!__byway_is_symbolic(is_same) && !is_same) break;
	}
	return found;
}

enum { DOTS = 2 };

size_t __byway_named_count(const struct inode *directory)
{
	return directory->count + DOTS;
}

struct named __byway_named(struct inode *directory, size_t index)
{
	if (index == 0) return (struct named){ ".", 2, directory };
	if (index == 1) return (struct named){ "..", 3, directory->parent };
	struct entry *entry = &directory->entries[index - DOTS];
	size_t room = entry->room ? entry->room : strlen(entry->name) + 1;
	return (struct named){ entry->name, room, entry->inode, entry };
}

/* The path is a single name, equal to this one. */
static long reached(struct inode *directory, const struct named *named, int follow,
	struct place *out)
{
	const struct entry *entry = named->entry;

	*out = (struct place){ .directory = directory, .inode = named->inode,
		.last_is_dot = !entry, .position = entry ? entry->position : 0,
		.length = named->room - 1, .room = entry ? entry->room : 0 };
	memcpy(out->name, named->name, named->room);
	if (!S_ISLNK(named->inode->mode) || !(follow & FOLLOW)) return 0;
	char target[PATH_MAX];
	memcpy(target, named->inode->data, named->inode->size);
	target[named->inode->size] = 0;
	return __byway_path_walk(directory, target, FOLLOW, 1, out);
}

/* A partially resolved path: its start directory, the number of bytes resolved, and the
 * directory reached there. */
struct input {
	struct inode *start, *at;
	const char *path;
	size_t known, room;
};

/* Concretises the path to a single value. */
static long hold(const struct input *input, int follow, struct place *out)
{
	static char fixed[PATH_MAX + 1];

	if (input->room > sizeof fixed) return -ENAMETOOLONG;
	for (size_t i = 0; i < input->room; i++) {
		fixed[i] = __byway_value((unsigned char)input->path[i]);
		__byway_assume(input->path[i] == fixed[i]);
	}
	__byway_warn("a path of several names that depends on input, held to one value");
	if (strlen(fixed) >= PATH_MAX) return -ENAMETOOLONG;
	return __byway_path_walk(input->start, fixed, follow, 0, out);
}

static long walk(const struct input *input, int follow, struct place *out)
{
	if (input->room - input->known > FORKING_PATH + 1) return hold(input, follow, out);
	return __byway_path_walk(input->start, input->path, follow, 0, out);
}

static int goes_on(struct inode *at, const char *path, size_t room)
{
	int found = *path == '/';

	for (size_t i = 0; i < __byway_named_count(at); i++) {
		struct named named = __byway_named(at, i);
		found |= __byway_is_name(named.name, named.room, path, room, '/');
	}
	return found;
}

static int has_slash(const char *path, size_t room)
{
	int found = 0, is_within = 1;

	for (size_t i = 0; i < room; i++) {
		found |= is_within & (path[i] == '/');
		is_within &= path[i] != 0;
	}
	return found;
}

/* Resolves the rest, all of which may be symbolic. */
static long look_up(const struct input *input, int follow, struct place *out)
{
	struct inode *at = input->at;
	const char *path = input->path + input->known;
	size_t room = input->room - input->known;
	struct inode *from_slash = input->known ? at : __byway_root();
	long error;

	if (follow & LOOK && room <= BYWAY_SHORT_PATH
		&& __byway_input_lookup(at, from_slash, path, room, follow, out, &error)) return error;
	if (!S_ISDIR(at->mode)) return -ENOTDIR;
	if ((error = __byway_inode_permits(at, X_OK))) return error;
	if (room > NAME_MAX + 1) return hold(input, follow, out);
	__byway_host_fill_directory(at);
	for (size_t i = 0; i < __byway_named_count(at); i++) {
		struct named named = __byway_named(at, i);
		if (__byway_is_name(named.name, named.room, path, room, 0))
			return reached(at, &named, follow, out);
	}
	/* If nothing is created, only the part after an existing name matters. */
	if (follow & LOOK ? goes_on(at, path, room) : has_slash(path, room))
		return walk(input, follow, out);
	*out = (struct place){ .directory = at, .room = room };
	memcpy(out->name, path, room);
	return 0;
}

/* The length of the concrete prefix of a path, including its last slash. */
static size_t known_part(const char *path)
{
	size_t known = 0;

	for (size_t i = 0; !__byway_is_symbolic(path[i]) && path[i]; i++)
		if (path[i] == '/') known = i + 1;
	return known;
}

long __byway_input_place(struct inode *at, const char *path, size_t room, int follow,
	struct place *out)
{
	struct input input = { at, at, path, known_part(path), room };
	char before[PATH_MAX];

	if (!input.known) return look_up(&input, follow, out);
	if (input.known >= sizeof before) return -ENAMETOOLONG;
	memcpy(before, path, input.known);
	before[input.known] = 0;
	long error = __byway_path_walk(at, before, FOLLOW, 0, out);
	if (error) return error;
	if (!out->inode) return -ENOENT;
	/* An empty rest after the slash means the directory itself. */
	if (!path[input.known]) return 0;
	input.at = out->inode;
	return look_up(&input, follow, out);
}
