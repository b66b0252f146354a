/* The functions the engine itself supplies; engine.txt lists every such name. */
#ifndef BYWAY_ENGINE_H
#define BYWAY_ENGINE_H

/* Writes to standard output (1) or standard error (2); bytes written or -errno. */
long __byway_write(int fd, const void *bytes, unsigned long count);

/* Reads standard input; bytes read, 0 at its end, or -errno. */
long __byway_read(void *bytes, unsigned long count);

/* Seconds and nanoseconds; clock 0 is the time of day, any other is monotonic. */
void __byway_clock(int clock, long seconds_and_nanoseconds[2]);

/* The program ends with this exit code. */
_Noreturn void __byway_exit(int code);

/* The program dies of this signal. */
_Noreturn void __byway_raise(int signal);

/* The program ends because an assertion does not hold. */
_Noreturn void __byway_assert_fail(const char *expression, const char *file, unsigned line,
	const char *function);

/* The path ends; the summary names what is missing. */
_Noreturn void __byway_unsupported(const char *what);

/* The path goes on; the summary counts what was answered less than faithfully. */
void __byway_warn(const char *what);

/* A fresh, zeroed, page-aligned object, or a null pointer when it is too large. */
void *__byway_map(unsigned long size);
void __byway_unmap(void *object);

/* The constructors and destructors of the program in the order they run;
 * a null pointer past the last. */
void (*__byway_ctor(int index))(void);
void (*__byway_dtor(int index))(void);

#endif
