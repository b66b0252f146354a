/* Lookup of a symbolic path. All spellings with the same result share one fork case: one
 * case for each file that the path can name, one for each directory in which it can name a
 * new file, and one for each error. So "A", "./A" and ".//A" do not fork from each other,
 * and neither do the paths of a file to be created that the caller refuses for the same
 * reason.
 *
 * A name begins at an offset in the path, in a directory. The lookup visits these pairs by
 * ascending offset: the condition under which the path reaches a pair is known once all
 * smaller offsets have been visited. None of it is a branch until the result is chosen. */

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "engine.h"
#include "fs.h"
#include "input_lookup.h"

void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void __libc_free(void *);

enum { MOST_DIRECTORIES = 256, SLASHES = 2 };

/* What the last name of a path leads to, without and with slashes behind it. */
struct target {
	struct inode *inode;
	long error;
};

/* A directory, and the condition under which a name at each offset is looked up in it. */
struct visited {
	struct inode *inode;
	/* For each of its names: as the last one of the path, and as one that others follow. */
	struct target (*last)[SLASHES], *before_others;
	long new_error[SLASHES];
	int conditions[BYWAY_INPUT_PATH], is_new[BYWAY_INPUT_PATH];
};

/* A result: an error, or a place of which some spellings end in a slash. */
struct end {
	long error;
	struct inode *inode;
	struct visited *directory;
	unsigned name;	/* for a new one, the number of names in the directory */
	int has_slash;	/* in the spelling that was found first */
	int condition, slash;
};

struct lookup {
	const struct input_path *input;
	const char *path;
	size_t room;
	struct visited *directories[MOST_DIRECTORIES];
	int directory_count;
	struct end *ends;
	size_t end_count, end_room;
	/* From each offset on: nothing but slashes; a name with nothing behind it, or with slashes. */
	int only_slashes[BYWAY_INPUT_PATH + 1];
	int last_name[SLASHES][BYWAY_INPUT_PATH + 1];
	/* The tables are full. */
	int gave_up;
};

static int is_impossible(int condition)
{
	return !__byway_is_symbolic(condition) && !condition;
}

/* A caller that looks for an inode does not care which name led to it. */
static int is_same_end(const struct lookup *lookup, const struct end *one, const struct end *other)
{
	if (one->error || other->error) return one->error == other->error;
	if (one->inode != other->inode) return 0;
	if (one->inode && lookup->input->follow & LOOK) return 1;
	return one->directory == other->directory && one->name == other->name;
}

static void end(struct lookup *lookup, struct end new)
{
	size_t i = 0;

	/* No such file: the result where there is no other. */
	if (is_impossible(new.condition) || new.error == -ENOENT) return;
	while (i < lookup->end_count && !is_same_end(lookup, &lookup->ends[i], &new)) i++;
	if (i == lookup->end_room) {
		size_t room = lookup->end_room ? 2 * lookup->end_room : 32;
		struct end *ends = __libc_realloc(lookup->ends, room * sizeof *ends);
		if (!ends) {
			lookup->gave_up = 1;
			return;
		}
		lookup->ends = ends;
		lookup->end_room = room;
	}
	if (i == lookup->end_count) {
		lookup->ends[lookup->end_count++] = new;
		lookup->ends[i].condition = lookup->ends[i].slash = 0;
	}
	lookup->ends[i].condition |= new.condition;
	if (new.has_slash) lookup->ends[i].slash |= new.condition;
}

static void fail(struct lookup *lookup, long error, int condition)
{
	end(lookup, (struct end){ .error = error, .condition = condition });
}

/* The caller's own errors are results too; those that depend on input are not asked for. */
static long refusal(const struct input_path *input, const struct place *place)
{
	if (!input->check || (place->inode && __byway_status_is_symbolic(place->inode))) return 0;
	return input->check(place, input->context);
}

/* The place of an existing name. */
static long place_of(const struct input_path *input, struct inode *at, size_t index,
	int has_slash, struct place *out)
{
	struct named named = __byway_named(at, index);
	const struct entry *entry = named.entry;

	*out = (struct place){ .directory = at, .inode = named.inode, .last_is_dot = !entry,
		.position = entry ? entry->position : 0, .length = named.room - 1,
		.room = entry ? entry->room : 0, .wants_directory = has_slash };
	memcpy(out->name, named.name, named.room);
	return __byway_path_arrive(at, input->follow, 1, 0, out);
}

static struct target last_target(const struct input_path *input, struct inode *at, size_t index,
	int has_slash)
{
	struct place place;
	long error = place_of(input, at, index, has_slash, &place);

	if (!error && !place.inode && !(input->follow & NEW)) error = -ENOENT;
	if (!error) error = refusal(input, &place);
	return (struct target){ error ? 0 : place.inode, error };
}

static struct target target_before_others(struct inode *at, size_t index)
{
	struct inode *inode = __byway_named(at, index).inode;
	long error = S_ISLNK(inode->mode) ? __byway_link_target(at, &inode) : 0;

	if (!error && !S_ISDIR(inode->mode)) error = -ENOTDIR;
	return (struct target){ inode, error };
}

static struct visited *visit(struct lookup *lookup, struct inode *inode)
{
	const struct input_path *input = lookup->input;

	for (int i = 0; i < lookup->directory_count; i++)
		if (lookup->directories[i]->inode == inode) return lookup->directories[i];
	if (lookup->directory_count == MOST_DIRECTORIES) return 0;
	__byway_host_fill_directory(inode);
	size_t count = __byway_named_count(inode);
	struct visited *visited = __libc_calloc(1, sizeof *visited);
	if (!visited) return 0;
	lookup->directories[lookup->directory_count++] = visited;
	visited->inode = inode;
	visited->last = __libc_calloc(count, sizeof *visited->last);
	visited->before_others = __libc_calloc(count, sizeof *visited->before_others);
	if (!visited->last || !visited->before_others) return 0;
	for (size_t i = 0; i < count; i++) {
		visited->before_others[i] = target_before_others(inode, i);
		for (int slash = 0; slash < SLASHES; slash++)
			visited->last[i][slash] = last_target(input, inode, i, slash);
	}
	for (int slash = 0; slash < SLASHES; slash++) {
		struct place place = { .directory = inode, .room = 1, .wants_directory = slash };
		visited->new_error[slash] = input->follow & NEW ? refusal(input, &place) : -ENOENT;
	}
	return visited;
}

static void go_on(struct lookup *lookup, struct inode *directory, size_t offset, int condition)
{
	if (lookup->gave_up || offset >= lookup->room || is_impossible(condition)) return;
	struct visited *visited = visit(lookup, directory);
	if (visited) visited->conditions[offset] |= condition;
	else lookup->gave_up = 1;
}

/* The path has an existing name of this length at an offset. */
static int known_name(struct lookup *lookup, struct visited *at, size_t offset, size_t index,
	size_t length, int condition)
{
	if (is_impossible(condition)) return 0;
	size_t behind = offset + length;
	char next = lookup->path[behind];
	int has_slash = condition & (next == '/'), is_last[SLASHES] = { condition & (next == 0), 0 };

	if (behind + 1 < lookup->room) is_last[1] = has_slash & lookup->only_slashes[behind + 1];
	for (int slash = 0; slash < SLASHES; slash++) {
		struct target target = at->last[index][slash];
		end(lookup, (struct end){ target.error, target.inode, at, index, slash, is_last[slash] });
	}
	struct target target = at->before_others[index];
	if (target.error) fail(lookup, target.error, has_slash & !is_last[1]);
	else go_on(lookup, target.inode, behind + 1, has_slash);
	return is_last[0] | has_slash;
}

/* The condition under which the path has an existing name at an offset. The length of a symbolic
 * name is symbolic. */
static int try_name(struct lookup *lookup, struct visited *at, size_t offset, size_t index,
	int condition)
{
	struct named named = __byway_named(at->inode, index);
	int is_symbolic = named.entry && named.entry->room, found = 0, is_same = 1;
	size_t longest = named.room - 1, left = lookup->room - 1 - offset;
	const char *path = lookup->path + offset;

	if (longest > left && !is_symbolic) return 0;
	for (size_t i = 0; i < longest && i < left; i++) {
		is_same &= path[i] == named.name[i];
		if (is_symbolic) is_same &= path[i] != 0;
		if (is_impossible(is_same)) break;
		if (i + 1 < longest && !is_symbolic) continue;
		int is_end = is_symbolic ? is_same & (named.name[i + 1] == 0) : is_same;
		found |= known_name(lookup, at, offset, index, i + 1, condition & is_end);
	}
	return found;
}

/* Looks up the name at an offset in a directory. */
static void name(struct lookup *lookup, struct visited *at, size_t offset)
{
	char first = lookup->path[offset];
	int condition = at->conditions[offset] & (first != '/') & (first != 0), found = 0;
	size_t count = __byway_named_count(at->inode);

	if (is_impossible(condition)) return;
	if (__byway_inode_permits(at->inode, X_OK)) {
		fail(lookup, -EACCES, condition);
		return;
	}
	for (size_t i = 0; i < count; i++) found |= try_name(lookup, at, offset, i, condition);
	for (int slash = 0; slash < SLASHES; slash++) {
		int is_new = condition & !found & lookup->last_name[slash][offset];
		end(lookup, (struct end){ at->new_error[slash], 0, at, count, slash, is_new });
		if (!at->new_error[slash]) at->is_new[offset] |= is_new;
	}
}

static void find_slashes(struct lookup *lookup)
{
	for (size_t i = lookup->room; i--;) {
		char byte = lookup->path[i];
		int is_slash = byte == '/', is_end = byte == 0, goes_on = !is_slash & !is_end;
		lookup->only_slashes[i] = is_end | (is_slash & lookup->only_slashes[i + 1]);
		lookup->last_name[0][i] = is_end | (goes_on & lookup->last_name[0][i + 1]);
		lookup->last_name[1][i] = (is_slash & lookup->only_slashes[i + 1])
			| (goes_on & lookup->last_name[1][i + 1]);
	}
}

/* A new name starts where the condition holds. */
static void new_place(const struct lookup *lookup, struct visited *at, struct place *out)
{
	*out = (struct place){ .directory = at->inode, .room = lookup->room };
	for (size_t offset = 0; offset < lookup->room; offset++) {
		int is_it = at->is_new[offset], is_within = 1;
		if (is_impossible(is_it)) continue;
		for (size_t i = 0; offset + i < lookup->room; i++) {
			char byte = lookup->path[offset + i];
			is_within &= (byte != '/') & (byte != 0);
			out->name[i] |= byte & -(is_it & is_within);
		}
	}
}

/* Forks by result. */
static long choose(const struct lookup *lookup, struct place *out)
{
	const struct input_path *input = lookup->input;

	*out = (struct place){ .directory = input->at };
	for (size_t i = 0; i < lookup->end_count; i++) {
		const struct end *end = &lookup->ends[i];
		if (!end->condition) continue;
		if (end->error) return end->error;
		if (!end->directory) *out = *input->prefix;
		else if (end->name == __byway_named_count(end->directory->inode))
			new_place(lookup, end->directory, out);
		else if (input->follow & LOOK) out->inode = end->inode;
		else place_of(input, end->directory->inode, end->name, end->has_slash, out);
		if (!is_impossible(end->slash)) out->wants_directory |= end->slash;
		return 0;
	}
	/* No file has such a name, and none can be created. */
	if (input->follow & (LOOK | NEW)) return -ENOENT;
	return input->check ? input->check(out, input->context) : 0;
}

static void release(struct lookup *lookup)
{
	for (int i = 0; i < lookup->directory_count; i++) {
		__libc_free(lookup->directories[i]->last);
		__libc_free(lookup->directories[i]->before_others);
		__libc_free(lookup->directories[i]);
	}
	__libc_free(lookup->ends);
	__libc_free(lookup);
}

int __byway_input_lookup(const struct input_path *input, const char *path, size_t room,
	struct place *out, long *result)
{
	struct lookup *lookup = room <= BYWAY_INPUT_PATH ? __libc_calloc(1, sizeof *lookup) : 0;

	if (!lookup) return 0;
	lookup->input = input;
	lookup->path = path;
	lookup->room = room;
	find_slashes(lookup);
	/* A path without names is the directory itself. */
	int is_prefix = lookup->only_slashes[0];
	if (!input->has_prefix) is_prefix &= *path == '/';
	long error = input->prefix_error ? input->prefix_error : refusal(input, input->prefix);
	end(lookup, (struct end){ error, input->prefix->inode, .condition = is_prefix });
	if (S_ISDIR(input->at->mode)) go_on(lookup, input->at, 0, 1);
	else fail(lookup, -ENOTDIR, (*path != 0) & (*path != '/'));
	go_on(lookup, input->from_slash, 1, *path == '/');
	for (size_t offset = 0; offset < room; offset++) {
		for (int i = 0; i < lookup->directory_count && !lookup->gave_up; i++) {
			struct visited *at = lookup->directories[i];
			if (is_impossible(at->conditions[offset])) continue;
			if (offset) go_on(lookup, at->inode, offset + 1,
				at->conditions[offset] & (path[offset] == '/'));
			name(lookup, at, offset);
		}
	}
	int is_known = !lookup->gave_up;
	if (is_known) *result = choose(lookup, out);
	release(lookup);
	return is_known;
}
