/* The functions the engine itself supplies; engine.txt lists every such name. */
#ifndef BYWAY_ENGINE_H
#define BYWAY_ENGINE_H

/* Writes to standard output (1) or standard error (2); bytes written or -errno. */
long __byway_write(int fd, const void *bytes, unsigned long count);

/* Reads standard input; bytes read, 0 at its end, or -errno. */
long __byway_read(void *bytes, unsigned long count);

/* Seconds and nanoseconds; clock 0 is the time of day, any other is monotonic. */
void __byway_clock(int clock, long seconds_and_nanoseconds[2]);

/* Files of the host, where it shows some; -errno, which is -ENOENT for all that is
 * not shown. A path is absolute and leads through no symbolic link. About a file:
 * mode, size, time of change, number, links, user and group. */
long __byway_host_stat(const char *path, long about[7]);
/* Bytes read, 0 at the end. */
long __byway_host_read(const char *path, unsigned long offset, void *bytes, unsigned long count);
/* The length of a directory's name by its index, in a fixed order; 0 past the last. */
long __byway_host_list(const char *path, unsigned long index, char *name, unsigned long size);
/* The length of a symbolic link's target. */
long __byway_host_link(const char *path, char *target, unsigned long size);
/* The length of the working directory's path. */
long __byway_host_directory(char *path, unsigned long size);

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

/* These bytes become input; the name need not be new. */
void __byway_symbolic(void *object, unsigned long size, const char *name);

/* The path goes on only where the condition is not zero. */
void __byway_assume(unsigned long condition);

/* The tests of this path make the condition true where they can. */
void __byway_prefer(unsigned long condition);

/* The path ends, silently and without a test. */
_Noreturn void __byway_exclude(void);

/* The path ends with a fault of the kind "reported", in this line; without a
 * file, where the user's code stands. */
_Noreturn void __byway_report(const char *message, const char *file, unsigned line);

/* Whether the value depends on input. */
int __byway_is_symbolic(unsigned long value);

/* One of the numbers the value can be; it constrains nothing. */
unsigned long __byway_value(unsigned long value);

/* The size of the object that is pointed into; a fault where there is none. */
unsigned long __byway_object_size(const void *pointer);

/* How many bytes there are from the pointer to the end of its object; 0 where that is
 * not a plain number, or there is no object. */
unsigned long __byway_room(const void *pointer);

/* Whether paths are explored; otherwise the program just runs, once. */
int __byway_exploring(void);

/* Whether there are such bytes, and they were written where that is tracked: of
 * variadic arguments always. */
int __byway_written(const void *pointer, unsigned long size);

/* A fault where the bytes cannot be read. */
void __byway_check_access(const void *pointer, unsigned long size);

/* A line to whoever runs Byway: as it is, with a value (as a term where it depends
 * on input), with the least and the largest the value can be. */
void __byway_say(const char *text);
void __byway_say_term(const char *text, unsigned long value);
void __byway_say_range(const char *text, unsigned long value);

/* An object at this very address. */
void __byway_fixed_object(void *address, unsigned long size);

/* Whether this path may fork from here on. */
void __byway_forking(int on);

#endif
