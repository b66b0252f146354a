/* Lookup of a short symbolic path where only the inode matters and not the spelling: all
 * spellings of one file share one fork case, so that "A", "./A" and ".//A" do not fork
 * from each other.
 *
 * The lookup visits pairs of an offset in the path and the directory reached there. The
 * condition under which the path reaches a pair is known once all smaller offsets have
 * been processed; none of it is a branch. */

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "engine.h"
#include "fs.h"

enum { MOST_ENDS = 48, MOST_DIRECTORIES = 24 };

struct walks {
	const char *path;
	size_t room;
	int follow;	/* follow a symbolic link that is the last name */

	/* Directories, and the condition under which the lookup is in each, after a slash at
	 * the given offset. */
	struct {
		struct inode *inode;
		int conditions[BYWAY_SHORT_PATH + 1];
	} directories[MOST_DIRECTORIES];
	int directory_count;

	/* The results: inodes or errors, each with its condition. */
	struct {
		struct inode *inode;
		long error;
		int condition;
	} ends[MOST_ENDS];
	int end_count;

	/* The tables are full, or a directory has an entry with a symbolic name. */
	int gave_up;
};

static int is_impossible(int condition)
{
	return !__byway_is_symbolic(condition) && !condition;
}

static void end(struct walks *walks, struct inode *inode, long error, int condition)
{
	int i = 0;

	if (is_impossible(condition)) return;
	while (i < walks->end_count
		&& (walks->ends[i].inode != inode || walks->ends[i].error != error)) i++;
	if (i == MOST_ENDS) {
		walks->gave_up = 1;
		return;
	}
	if (i == walks->end_count) {
		walks->end_count++;
		walks->ends[i].inode = inode;
		walks->ends[i].error = error;
	}
	walks->ends[i].condition |= condition;
}

/* The last byte processed is a slash. */
static void go_on(struct walks *walks, struct inode *directory, size_t done, int condition)
{
	int i = 0;

	if (done >= walks->room || is_impossible(condition)) return;
	while (i < walks->directory_count && walks->directories[i].inode != directory) i++;
	if (i == MOST_DIRECTORIES) {
		walks->gave_up = 1;
		return;
	}
	if (i == walks->directory_count) {
		walks->directory_count++;
		walks->directories[i].inode = directory;
	}
	walks->directories[i].conditions[done] |= condition;
}

/* Whether a path begins with a concrete name. */
static int begins_with(const char *path, const char *name, size_t length)
{
	int is_same = 1;

	for (size_t i = 0; i < length; i++) is_same &= path[i] == name[i];
	return is_same;
}

/* A name begins at this offset. */
static void name(struct walks *walks, struct inode *at, size_t done, int condition)
{
	const char *path = walks->path + done;
	size_t room = walks->room - done;

	if (!S_ISDIR(at->mode)) {
		end(walks, 0, -ENOTDIR, condition & (*path != 0));
		return;
	}
	if (__byway_inode_permits(at, X_OK)) {
		end(walks, 0, -EACCES, condition & (*path != 0));
		return;
	}
	__byway_host_fill_directory(at);
	for (size_t i = 0; i < __byway_named_count(at); i++) {
		struct named named = __byway_named(at, i);
		size_t length = named.room - 1;
		if (named.room > room) continue;
		int is_it = condition & begins_with(path, named.name, length);
		int goes_on = is_it & (path[length] == '/');
		int is_last = is_it & (path[length] == 0);
		walks->gave_up |= named.entry && named.entry->room;
		if (is_impossible(is_last) && is_impossible(goes_on)) continue;
		struct inode *behind = named.inode;
		long error = S_ISLNK(behind->mode) ? __byway_link_target(at, &behind) : 0;
		if (S_ISLNK(named.inode->mode) && !walks->follow) end(walks, named.inode, 0, is_last);
		else end(walks, behind, error, is_last);
		if (error) end(walks, behind, error, goes_on);
		else if (S_ISDIR(behind->mode)) go_on(walks, behind, done + named.room, goes_on);
		else end(walks, 0, -ENOTDIR, goes_on);
	}
}

/* After a slash: the end, another slash, or a name. */
static void step(struct walks *walks, int directory, size_t done)
{
	struct inode *at = walks->directories[directory].inode;
	int condition = walks->directories[directory].conditions[done];
	char byte = walks->path[done];

	if (is_impossible(condition)) return;
	end(walks, at, 0, condition & (byte == 0));
	go_on(walks, at, done + 1, condition & (byte == '/'));
	name(walks, at, done, condition & (byte != '/'));
}

int __byway_input_lookup(struct inode *at, struct inode *from_slash, const char *path,
	size_t room, int follow, struct place *out, long *result)
{
	struct walks walks = { .path = path, .room = room, .follow = follow & FOLLOW };

	name(&walks, at, 0, 1);
	go_on(&walks, from_slash, 1, *path == '/');
	for (size_t done = 1; done < room; done++)
		for (int i = 0; i < walks.directory_count; i++) step(&walks, i, done);
	if (walks.gave_up) return 0;
	*out = (struct place){ .directory = at };
	for (int i = 0; i < walks.end_count; i++) {
		if (!walks.ends[i].condition) continue;
		out->inode = walks.ends[i].inode;
		*result = walks.ends[i].error;
		return 1;
	}
	*result = -ENOENT;
	return 1;
}
