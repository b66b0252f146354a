/* For bitcode compiled against glibc's headers: functions whose arguments differ from musl's
 * in the layout of a structure, in the values of constants, or in meaning. The loader
 * (crates/llvm/src/headers.rs) directs the calls of f in a module of the program
 *
 * - to GLIBC(f) if the module was compiled against glibc's headers,
 * - to ANY(f) in any case: it accepts the arguments of both.
 *
 * What has no counterpart in musl ends the path. Structures that differ in size alone need
 * nothing here: rusage and sysinfo have the kernel's size (clocks.c, machine.c), and musl
 * uses only the common members of the others. A test compares all layouts and constants
 * (crates/byway/tests/cli/glibc_headers.rs).
 *
 * The variants of regcomp, regexec, regerror and regfree are GNU's own code: see gnu/config.h. */

#define _GNU_SOURCE
#include <fnmatch.h>
#include <ftw.h>
#include <glob.h>
#include <libgen.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "engine.h"
#include "glob_directories.h"

#define GLIBC(function) __byway_glibc_##function
#define ANY(function) __byway_any_##function

/* File trees: the kinds of entries begin with 0, not with 1. */

enum { GLIBC_FTW_ACTIONRETVAL = 16 };

typedef int ftw_visitor(const char *, const struct stat *, int);
typedef int nftw_visitor(const char *, const struct stat *, int, struct FTW *);

static ftw_visitor *ftw_visit;
static nftw_visitor *nftw_visit;

static int visit_for_ftw(const char *path, const struct stat *status, int kind)
{
	return ftw_visit(path, status, kind - 1);
}

static int visit_for_nftw(const char *path, const struct stat *status, int kind, struct FTW *at)
{
	return nftw_visit(path, status, kind - 1, at);
}

int GLIBC(ftw)(const char *path, ftw_visitor *visit, int descriptors)
{
	ftw_visitor *outer = ftw_visit;

	ftw_visit = visit;
	int result = ftw(path, visit_for_ftw, descriptors);
	ftw_visit = outer;
	return result;
}

int GLIBC(nftw)(const char *path, nftw_visitor *visit, int descriptors, int flags)
{
	nftw_visitor *outer = nftw_visit;

	if (flags & GLIBC_FTW_ACTIONRETVAL) __byway_unsupported("nftw with FTW_ACTIONRETVAL");
	nftw_visit = visit;
	int result = nftw(path, visit_for_nftw, descriptors, flags);
	nftw_visit = outer;
	return result;
}

int GLIBC(ftw64)(const char *path, ftw_visitor *visit, int descriptors)
{
	return GLIBC(ftw)(path, visit, descriptors);
}

int GLIBC(nftw64)(const char *path, nftw_visitor *visit, int descriptors, int flags)
{
	return GLIBC(nftw)(path, visit, descriptors, flags);
}

/* Patterns: flags that only glibc has. A program reads GLOB_MAGCHAR from gl_flags, where
 * musl has padding. */

enum {
	GLIBC_GLOB_MAGCHAR = 1 << 8,
	GLIBC_GLOB_ALTDIRFUNC = 1 << 9,
	GLIBC_GLOB_BRACE = 1 << 10,
	GLIBC_GLOB_NOMAGIC = 1 << 11,
	GLIBC_FNM_EXTMATCH = 1 << 5,
};

int ANY(glob)(const char *pattern, int flags, int (*failed)(const char *, int), glob_t *out)
{
	int is_pattern = !!strpbrk(pattern, "*?[");
	int check = flags & GLIBC_GLOB_NOMAGIC && !is_pattern ? GLOB_NOCHECK : 0;

	if (flags & GLIBC_GLOB_BRACE) __byway_unsupported("glob with GLOB_BRACE");
	int result = flags & GLIBC_GLOB_ALTDIRFUNC
		? __byway_glob_in_directories(pattern, flags | check, failed, out)
		: glob(pattern, flags | check, failed, out);
	out->__dummy1 = flags | (is_pattern ? GLIBC_GLOB_MAGCHAR : 0);
	return result;
}

int ANY(glob64)(const char *pattern, int flags, int (*failed)(const char *, int), glob_t *out)
{
	return ANY(glob)(pattern, flags, failed, out);
}

int ANY(fnmatch)(const char *pattern, const char *text, int flags)
{
	if (flags & GLIBC_FNM_EXTMATCH) __byway_unsupported("fnmatch with FNM_EXTMATCH");
	return fnmatch(pattern, text, flags);
}

/* Mutexes: glibc's static initialisers set the kind in the fifth word, which musl does not
 * use; musl has it in the first. */

static pthread_mutex_t *adopt(pthread_mutex_t *mutex)
{
	int *words = (int *)mutex;

	if (words[4] == PTHREAD_MUTEX_RECURSIVE || words[4] == PTHREAD_MUTEX_ERRORCHECK) {
		words[0] = words[4];
		words[4] = 0;
	}
	return mutex;
}

int ANY(pthread_mutex_lock)(pthread_mutex_t *mutex)
{
	return pthread_mutex_lock(adopt(mutex));
}

int ANY(pthread_mutex_trylock)(pthread_mutex_t *mutex)
{
	return pthread_mutex_trylock(adopt(mutex));
}

int ANY(pthread_mutex_timedlock)(pthread_mutex_t *mutex, const struct timespec *until)
{
	return pthread_mutex_timedlock(adopt(mutex), until);
}

/* Functions of the same name. The POSIX variants are called __xpg_strerror_r and
 * __xpg_basename by glibc's headers. */

char *GLIBC(strerror_r)(int number, char *buffer, size_t size)
{
	return strerror(number);
}

char *GLIBC(basename)(const char *path)
{
	char *slash = strrchr(path, '/');

	return slash ? slash + 1 : (char *)path;
}
