/* What a program may say to Byway: which of its bytes are input, what is known
 * about them, and what to look at.
 *
 * The header is there when Byway compiles the program, be it to explore it or to
 * run its tests natively; there every function has a plain meaning, given below
 * after "Natively:". One source can serve a world without Byway, too:
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

/* Makes bytes input: from here on they may be anything. The name is how tests
 * call them; the second object of a name on a path is called name_1, the third
 * name_2. Any part of an object will do, and an object more than once.
 * Natively: fills them from the test. */
void byway_make_symbolic(void *object, size_t size, const char *name);

/* An int that may be anything. */
int byway_int(const char *name);

/* An int of begin <= int < end. Where that allows only one, it is no input. An
 * empty range is reported as a fault. */
int byway_range(int begin, int end, const char *name);

/* A number below count: which of count ways to go. It does not fork by itself;
 * what the program compares it with does. */
size_t byway_choose(size_t count, const char *name);

/* --- What is known ---------------------------------------------------------- */

/* Goes on only with inputs for which the condition holds; a path without any
 * ends quietly and gives no test. Conditions joined with && are branches of the
 * program, each its own fork; with & or in several calls they are not.
 * Natively: a test that breaks it ends the program with a message. */
void byway_assume(byway_condition condition);

/* Asks for tests that make the condition true where the path allows it, for
 * example that a byte is printable. It rules nothing out.
 * Natively: nothing. */
void byway_prefer(byway_condition condition);

/* Ends this path; it gives no test and is not counted as finished.
 * Natively: exit(0). */
void byway_exclude(void) __attribute__((__noreturn__));

/* --- What is found ---------------------------------------------------------- */

/* Ends this path as a fault of the kind "reported", at the line that calls it.
 * Natively: prints the message and aborts. */
void byway_report(const char *message) __attribute__((__noreturn__));

/* A fault unless that many bytes can be read there.
 * Natively: reads them. */
void byway_check_access(const void *pointer, size_t size);

/* --- Looking ---------------------------------------------------------------- */

/* Whether the value depends on input. Natively: never. */
int byway_is_symbolic(unsigned long value);

/* One of the numbers the value can be. It constrains nothing: the value itself
 * stays what it was. Natively: the value. */
unsigned long byway_value(unsigned long value);

/* The size of the object a pointer points into; a fault where there is none.
 * Natively: unknown, zero. */
size_t byway_object_size(const void *pointer);

/* Whether this is a native run of a test. */
int byway_is_replay(void);

/* Lines to whoever runs Byway: a text; a text and a value, as the term it is
 * where it depends on input; a text with the least and the largest the value can
 * be. Natively: to standard error. */
void byway_say(const char *text);
void byway_print_term(const char *text, unsigned long value);
void byway_print_range(const char *text, unsigned long value);

/* --- How it is explored ----------------------------------------------------- */

/* From byway_forking(0) to byway_forking(1) this path does not fork: at every
 * branch it goes one way, and the other is counted as dropped.
 * Natively: nothing. */
void byway_forking(int on);

/* Memory at an address of the program's choice, such as a device's registers.
 * Natively: nothing. */
void byway_fixed_object(void *address, size_t size);

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
