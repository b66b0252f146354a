/* Paths that depend on input. Resolving such a path forks once per result, not once for each
 * of its bytes or lengths: the concrete bytes before the first symbolic one are resolved
 * normally, the rest in src/input_lookup.c. A path that is too long for that, or can pass too many
 * directories, is concretised to a single value, which is counted. */

#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include "engine.h"
#include "fs.h"
#include "input_lookup.h"

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

int __byway_is_name(const char *name, size_t name_room, const char *bytes, size_t room)
{
	int is_same = 1, found = 0;

	for (size_t i = 0; i < name_room && i < room; i++) {
		found |= is_same & (name[i] == 0) & (bytes[i] == 0);
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

/* Concretises the path to a single value. */
static long hold(struct inode *start, const char *path, size_t room, int follow,
	struct place *out)
{
	static char fixed[PATH_MAX + 1];

	if (room > sizeof fixed) return -ENAMETOOLONG;
	for (size_t i = 0; i < room; i++) {
		fixed[i] = __byway_value((unsigned char)path[i]);
		__byway_assume(path[i] == fixed[i]);
	}
	__byway_warn("a symbolic path, too long or through too many directories, held to one value");
	if (strlen(fixed) >= PATH_MAX) return -ENAMETOOLONG;
	return __byway_path_walk(start, fixed, follow, 0, out);
}

/* The length of the concrete prefix of a path, including its last slash. */
static size_t known_part(const char *path)
{
	size_t known = 0;

	for (size_t i = 0; !__byway_is_symbolic(path[i]) && path[i]; i++)
		if (path[i] == '/') known = i + 1;
	return known;
}

/* Resolves the concrete prefix: on the way to the rest, and as all of the path. */
static long look_up_prefix(struct input_path *input, const char *path, size_t known,
	struct place *prefix)
{
	struct inode *start = input->at;
	char before[PATH_MAX];

	if (known >= sizeof before) return -ENAMETOOLONG;
	memcpy(before, path, known);
	before[known] = 0;
	long error = __byway_path_walk(start, before, FOLLOW, 0, prefix);
	if (error) return error;
	if (!prefix->inode) return -ENOENT;
	input->at = input->from_slash = prefix->inode;
	input->prefix_error = __byway_path_walk(start, before, input->follow, 0, prefix);
	return 0;
}

long __byway_input_place(struct inode *at, const char *path, size_t room, int follow,
	path_check *check, const void *context, struct place *out)
{
	struct inode *root = __byway_root();
	struct place prefix = { .directory = root, .inode = root, .last_is_dot = 1 };
	size_t known = known_part(path);
	struct input_path input = { .follow = follow, .check = check, .context = context, .at = at,
		.from_slash = root, .has_prefix = known > 0, .prefix = &prefix };
	long error;

	if (known && (error = look_up_prefix(&input, path, known, &prefix))) return error;
	if (room > PATH_MAX || !__byway_input_lookup(&input, path + known, room - known, out, &error)) {
		error = hold(at, path, room, follow, out);
		return error || !check ? error : check(out, context);
	}
	/* The lookup has made the other checks. */
	int is_unchecked = check && out->inode && __byway_status_is_symbolic(out->inode);
	return !error && is_unchecked ? check(out, context) : error;
}
