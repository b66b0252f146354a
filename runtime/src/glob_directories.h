#ifndef GLOB_DIRECTORIES_H
#define GLOB_DIRECTORIES_H

#include <features.h>
#include <glob.h>

/* glob with the functions for directories that glibc's glob_t has. */
hidden int __byway_glob_in_directories(const char *pattern, int flags,
	int (*failed)(const char *, int), glob_t *out);

#endif
