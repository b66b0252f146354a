/* The configuration of GNU's regular expressions, for gnulib's sources: musl as the library
 * below, and glibc's ABI (regoff_t is an int, as without _REGEX_LARGE_OFFSETS).
 *
 * musl's functions of <regex.h> keep their names and their own structures. Those with glibc's
 * are the variants that the loader chooses for programs compiled against glibc's headers
 * (src/glibc_layouts.c). */

#define _GNU_SOURCE 1
#include <stdbool.h>

#define HAVE_ISBLANK 1
#define HAVE_DECL_ISBLANK 1
#define _GL_ATTRIBUTE_FALLTHROUGH __attribute__((__fallthrough__))

/* RE_DUP_MAX is glibc's, not that of musl's <limits.h>. */
#define _REGEX_INCLUDE_LIMITS_H 1

/* glibc has BSD's re_comp and re_exec. */
#define _REGEX_RE_COMP 1

#define regcomp __byway_glibc_regcomp
#define regerror __byway_glibc_regerror
#define regexec __byway_glibc_regexec
#define regfree __byway_glibc_regfree
