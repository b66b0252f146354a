/* Functions that the engine supplies; engine.txt lists all of their names. */
#ifndef BYWAY_ENGINE_H
#define BYWAY_ENGINE_H

/* Writes to standard output (1) or standard error (2); returns bytes or -errno. */
long __byway_write(int fd, const void *bytes, unsigned long count);

/* Reads standard input; returns bytes read, 0 at the end, or -errno. */
long __byway_read(void *bytes, unsigned long count);

/* Seconds and nanoseconds; clock 0 is the time of day, any other is monotonic. */
void __byway_clock(int clock, long seconds_and_nanoseconds[2]);

/* Visible files of the host; -errno on failure, -ENOENT for a file that is not
 * visible. A path is absolute and without symbolic links. The status of a file is:
 * mode, size, modification time, inode number, links, user and group. */
long __byway_host_stat(const char *path, long about[7]);
/* Bytes read, 0 at the end. */
long __byway_host_read(const char *path, unsigned long offset, void *bytes, unsigned long count);
/* The length of the n-th name of a directory, in a fixed order; 0 past the last. */
long __byway_host_list(const char *path, unsigned long index, char *name, unsigned long size);
/* The length of a symbolic link's target. */
long __byway_host_link(const char *path, char *target, unsigned long size);
/* The length of the working directory's path. */
long __byway_host_directory(char *path, unsigned long size);

/* Ends the program with this exit code. */
_Noreturn void __byway_exit(int code);

/* Ends the program by this signal. */
_Noreturn void __byway_raise(int signal);

/* Ends the program with a failed assertion. */
_Noreturn void __byway_assert_fail(const char *expression, const char *file, unsigned line,
	const char *function);

/* Ends the path; the summary names the missing feature. */
_Noreturn void __byway_unsupported(const char *what);

/* Continues the path; the summary counts the inexact result. */
void __byway_warn(const char *what);

/* A new zeroed, page-aligned object, or a null pointer if it is too large. */
void *__byway_map(unsigned long size);
/* The same for the program's arguments and environment: of exactly this size, and
 * never freed. */
void *__byway_arguments(unsigned long size);
void __byway_unmap(void *object);
/* Allows or forbids writes to an object from `__byway_map`. */
void __byway_protect(void *object, int is_writable);

/* The n-th constructor or destructor of the program, in the order they run;
 * a null pointer past the last. */
void (*__byway_ctor(int index))(void);
void (*__byway_dtor(int index))(void);

/* Makes these bytes symbolic; the name need not be unique. */
void __byway_symbolic(void *object, unsigned long size, const char *name);

/* Adds the condition to the path condition. */
void __byway_assume(unsigned long condition);

/* Tests of this path satisfy the condition if possible. */
void __byway_prefer(unsigned long condition);

/* Ends the path silently, without a test. */
_Noreturn void __byway_exclude(void);

/* Ends the path with a fault of the kind "reported", at this line; without a
 * file, at the current line of the user's code. */
_Noreturn void __byway_report(const char *message, const char *file, unsigned line);

/* Whether the value depends on input. */
int __byway_is_symbolic(unsigned long value);

/* One possible value, without constraining it. */
unsigned long __byway_value(unsigned long value);

/* The value, as a number: the path forks by its possible values. */
unsigned long __byway_each(unsigned long value);

/* The size of the object that the pointer refers to; a fault if there is none. */
unsigned long __byway_object_size(const void *pointer);

/* The number of bytes from the pointer to the end of its object; 0 if that is symbolic
 * or there is no object. */
unsigned long __byway_room(const void *pointer);

/* Whether paths are explored; otherwise the program is executed once. */
int __byway_exploring(void);

/* Whether a variadic argument was passed at this place. */
int __byway_passed(const void *place);

/* The word of the variadic arguments at this place; 0 if no argument was passed there. */
long __byway_argument(const void *place);

/* A fault if one of the bytes, which go to a system call, is uninitialised. */
void __byway_check_initialised(const void *pointer, unsigned long size);

/* A fault if the bytes cannot be read. */
void __byway_check_access(const void *pointer, unsigned long size);

/* Whether two pointers may point into the same object. */
int __byway_same_object(const void *one, const void *other);

/* A fault if the two ranges overlap. */
void __byway_check_overlap(const void *to, unsigned long to_size, const void *from,
	unsigned long from_size);

/* A fault if the check for leaks is on and an object that the program allocated is
 * reachable from nothing. */
void __byway_check_leaks(void);

/* Prints a line for the user of Byway: plain, with a value (as a term if it is
 * symbolic), or with the least and the greatest possible value. */
void __byway_say(const char *text);
void __byway_say_term(const char *text, unsigned long value);
void __byway_say_range(const char *text, unsigned long value);

/* Defines an object at this address. */
void __byway_fixed_object(void *address, unsigned long size);

/* Enables or disables forking on this path. */
void __byway_forking(int on);

#endif
