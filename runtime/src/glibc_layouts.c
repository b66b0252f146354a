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
 * (crates/llvm/tests/it/glibc.rs). */

#define _GNU_SOURCE
#include <fnmatch.h>
#include <ftw.h>
#include <glob.h>
#include <libgen.h>
#include <limits.h>
#include <pthread.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include "engine.h"

#define GLIBC(function) __byway_glibc_##function
#define ANY(function) __byway_any_##function

/* Regular expressions: an offset is an int, not a long, and re_nsub is elsewhere. */

struct glibc_regex {
	regex_t *compiled;
	size_t unused[5];
	size_t re_nsub;
	size_t no_matches;
};

struct glibc_match {
	int start, end;
};

enum { GLIBC_REG_STARTEND = 4 };

_Static_assert(sizeof(struct glibc_regex) == 64, "glibc's regex_t has 64 bytes");

/* musl rejects repetitions that glibc accepts. */
static int repeats_too_often(const char *pattern)
{
	for (pattern = strchr(pattern, '{'); pattern; pattern = strchr(pattern, '{')) {
		char *end;
		unsigned long least = strtoul(++pattern, &end, 10);
		unsigned long most = *end == ',' ? strtoul(end + 1, &end, 10) : least;
		if (least > RE_DUP_MAX || most > RE_DUP_MAX) return 1;
	}
	return 0;
}

int GLIBC(regcomp)(struct glibc_regex *regex, const char *pattern, int flags)
{
	regex_t *compiled = malloc(sizeof *compiled);

	if (!compiled) return REG_ESPACE;
	int error = regcomp(compiled, pattern, flags);
	if (error == REG_BADBR && repeats_too_often(pattern))
		__byway_unsupported("regcomp with more than 255 repetitions");
	if (error) {
		free(compiled);
		compiled = 0;
	}
	*regex = (struct glibc_regex){
		.compiled = compiled,
		.re_nsub = compiled ? compiled->re_nsub : 0,
		.no_matches = flags & REG_NOSUB,
	};
	return error;
}

int GLIBC(regexec)(const struct glibc_regex *regex, const char *text, size_t count,
	struct glibc_match *out, int flags)
{
	size_t groups = regex->re_nsub + 1;

	if (flags & GLIBC_REG_STARTEND) __byway_unsupported("regexec with REG_STARTEND");
	if (regex->no_matches) count = 0;
	if (count < groups) groups = count;
	/* Not an array of symbolic size: the count may come from the input. */
	regmatch_t *matches = groups ? malloc(groups * sizeof *matches) : 0;
	if (groups && !matches) return REG_ESPACE;
	int error = regexec(regex->compiled, text, groups, matches, flags);
	for (size_t i = 0; !error && i < count; i++) {
		if (i < groups) out[i] = (struct glibc_match){ matches[i].rm_so, matches[i].rm_eo };
		else out[i] = (struct glibc_match){ -1, -1 };
	}
	free(matches);
	return error;
}

void GLIBC(regfree)(struct glibc_regex *regex)
{
	if (regex->compiled) regfree(regex->compiled);
	free(regex->compiled);
	regex->compiled = 0;
}

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
	if (flags & GLIBC_GLOB_ALTDIRFUNC) __byway_unsupported("glob with GLOB_ALTDIRFUNC");
	if (flags & GLIBC_GLOB_BRACE) __byway_unsupported("glob with GLOB_BRACE");
	if (flags & GLIBC_GLOB_NOMAGIC) __byway_unsupported("glob with GLOB_NOMAGIC");
	int result = glob(pattern, flags, failed, out);
	out->__dummy1 = flags | (strpbrk(pattern, "*?[") ? GLIBC_GLOB_MAGCHAR : 0);
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
