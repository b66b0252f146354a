/* What a program may call when it knows that Byway runs it.
 *
 * The header is there only when Byway compiles the program, so one source can
 * serve both worlds:
 *
 *     #if __has_include(<byway.h>)
 *     #include <byway.h>
 *     #endif
 */
#ifndef BYWAY_H
#define BYWAY_H

#ifdef __cplusplus
extern "C" {
#endif

/* Ends this path as unsupported and names what is missing: for a stub that
 * stands in for a part of the program that cannot be run. */
void byway_unsupported(const char *what) __attribute__((__noreturn__));

/* Goes on, and has the summary count that this was answered less than
 * faithfully. */
void byway_warn(const char *what);

#ifdef __cplusplus
}
#endif

#endif
