/* glob with GLOB_ALTDIRFUNC, which only glibc has: musl's own code, but directories are read
 * by the caller's functions. These are members of glibc's glob_t that musl reserves. */

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <limits.h>
#include <pwd.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "glob_directories.h"

struct directory_functions {
	void (*close)(void *directory);
	struct dirent *(*read)(void *directory);
	void *(*open)(const char *path);
	int (*lstat)(const char *path, struct stat *status);
	int (*stat)(const char *path, struct stat *status);
};

_Static_assert(sizeof(struct directory_functions) == sizeof(((glob_t *)0)->__dummy2),
	"glibc's glob_t has five functions");

static const struct directory_functions *functions;

/* musl takes an error number at the end of a directory for a failure; the caller's functions
 * need not keep it. */
static struct dirent *read_directory(void *directory)
{
	struct dirent *entry = functions->read(directory);

	if (!entry) errno = 0;
	return entry;
}

#define opendir(path) functions->open(path)
#define readdir(directory) read_directory(directory)
#define closedir(directory) functions->close(directory)
#define lstat(path, status) functions->lstat(path, status)
#define stat(path, status) functions->stat(path, status)
#define glob __byway_musl_glob
#define globfree __byway_musl_globfree
#undef weak_alias
#define weak_alias(old, new) extern int unused_##new

#include "../../musl/src/regex/glob.c"

int __byway_glob_in_directories(const char *pattern, int flags, int (*failed)(const char *, int),
	glob_t *out)
{
	const struct directory_functions *outer = functions;

	functions = (const void *)out->__dummy2;
	int result = __byway_musl_glob(pattern, flags, failed, out);
	functions = outer;
	return result;
}
