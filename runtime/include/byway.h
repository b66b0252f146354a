/* The interface of a program to Byway: it marks bytes as symbolic input, adds
 * assumptions about them, and reports findings.
 *
 * The header is available when Byway compiles the program, to explore it or to run
 * its tests natively; "Natively:" below gives the behaviour of each function in a
 * native run. A source can also be compiled without Byway:
 *
 *     #if __has_include(<byway.h>)
 *     #include <byway.h>
 *     #endif
 *
 * A first program:
 *
 *     int main(void)
 *     {
 *         char word[4];
 *         byway_make_symbolic(word, sizeof word, "word");
 *         byway_assume(word[3] == 0);
 *         return strcmp(word, "key") == 0;
 *     }
 */
#ifndef BYWAY_H
#define BYWAY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
typedef bool byway_condition;
#else
typedef _Bool byway_condition;
#endif

/* --- Input ------------------------------------------------------------------ */

/* Makes bytes symbolic: from here on they may have any value. Tests refer to them
 * by the name; the second object of a name on a path is called name_1, the third
 * name_2. Part of an object may be made symbolic, and an object more than once.
 * Natively: fills them from the test. */
void byway_make_symbolic(void *object, size_t size, const char *name);

/* A symbolic int without constraints. */
int byway_int(const char *name);

/* A symbolic int with begin <= int < end. A range of one value is not symbolic; an
 * empty range is reported as a fault. */
int byway_range(int begin, int end, const char *name);

/* A symbolic number below count, to choose among count cases. It does not fork by
 * itself; comparisons in the program do. */
size_t byway_choose(size_t count, const char *name);

/* --- Assumptions ------------------------------------------------------------ */

/* Adds the condition to the path condition; an infeasible path ends silently and
 * gives no test. Conditions joined with && are branches of the program, each with
 * its own fork; joined with & or in several calls they do not fork.
 * Natively: a test that violates it ends the program with a message. */
void byway_assume(byway_condition condition);

/* Prefers tests that satisfy the condition where the path allows it, for
 * example that a byte is printable. It excludes no inputs.
 * Natively: nothing. */
void byway_prefer(byway_condition condition);

/* Ends this path; it gives no test and is not counted as finished.
 * Natively: exit(0). */
void byway_exclude(void) __attribute__((__noreturn__));

/* --- Faults ----------------------------------------------------------------- */

/* Ends this path as a fault of the kind "reported", at the line that calls it.
 * Natively: prints the message and aborts. */
void byway_report(const char *message) __attribute__((__noreturn__));

/* Reports a fault unless that many bytes can be read there.
 * Natively: reads them. */
void byway_check_access(const void *pointer, size_t size);

/* --- Inspection ------------------------------------------------------------- */

/* Whether the value depends on input. Natively: never. */
int byway_is_symbolic(unsigned long value);

/* One possible value of an expression. It adds no constraint: the value itself
 * stays symbolic. Natively: the value. */
unsigned long byway_value(unsigned long value);

/* The size of the object that a pointer refers to; a fault if there is none.
 * Natively: unknown, zero. */
size_t byway_object_size(const void *pointer);

/* Whether this is a native run of a test. */
int byway_is_replay(void);

/* Prints a line for the user of Byway: a text; a text and a value, as a term if
 * it is symbolic; a text with the least and the greatest possible value.
 * Natively: to standard error. */
void byway_say(const char *text);
void byway_print_term(const char *text, unsigned long value);
void byway_print_range(const char *text, unsigned long value);

/* --- Control of the exploration --------------------------------------------- */

/* Between byway_forking(0) and byway_forking(1) this path does not fork: at every
 * branch it follows one side, and the other is counted as dropped.
 * Natively: nothing. */
void byway_forking(int on);

/* Defines memory at a fixed address, such as a device's registers.
 * Natively: nothing. */
void byway_fixed_object(void *address, size_t size);

/* Ends this path as unsupported and names the missing feature: for stubs of
 * parts of the program that cannot be run. */
void byway_unsupported(const char *what) __attribute__((__noreturn__));

/* Continues the path, and counts an inexact result of a model in the
 * summary. */
void byway_warn(const char *what);

#ifdef __cplusplus
}
#endif

#endif
