/* Lookup of symbolic paths; src/input_lookup.c. */
#ifndef BYWAY_INPUT_LOOKUP_H
#define BYWAY_INPUT_LOOKUP_H

#include "fs.h"

/* The maximum size of a symbolic path that is looked up, with the zero: it has no name that
 * is too long. */
enum { BYWAY_INPUT_PATH = NAME_MAX + 1 };

/* The request for a lookup, and where it starts. */
struct input_path {
	int follow;
	path_check *check;
	const void *context;
	/* The directory of a relative path, and of one that begins with a slash. */
	struct inode *at, *from_slash;
	/* A concrete part, which ends with a slash, precedes the path. */
	int has_prefix;
	/* The result for a path without a name: of the prefix, or of the root. */
	const struct place *prefix;
	long prefix_error;
};

/* Looks up a path, forking by result; 0 if it is too long, or there are too many
 * directories. */
hidden int __byway_input_lookup(const struct input_path *input, const char *path, size_t room,
	struct place *out, long *result);

#endif
