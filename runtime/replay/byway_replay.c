/* Native runs of tests: link this file with a program and set BYWAY_TEST (or, as for
 * KLEE, KTEST_FILE) to a test; the program then reads its inputs from that test.
 *
 *     cc -g -I runtime/include program.c runtime/replay/byway_replay.c
 *     BYWAY_TEST=byway-last/tests/000001.ktest ./a.out
 *
 * Inputs are consumed in the order the program requests them, and their names and
 * sizes must equal those of the test: a program that requests another input has left
 * the path of the test. It is then stopped with a message and exit
 * code 119.
 *
 * The first inputs of a test may be arguments, files and the like, which the program
 * does not request: BYWAY_TEST_SKIP is their number. `byway show` prints a
 * command that sets it.
 *
 * A harness sets BYWAY_REPLAY_STATUS to a file. The library writes its findings
 * there, one line each, so that they cannot be confused with output of the
 * program itself:
 *
 *     diverged WHY             the program left the path of the test
 *     unable WHAT              this run does not support a function the program calls
 *     unsupported WHAT         the program called byway_unsupported
 *     excluded                 the program ended the path without a test
 *     reported LINE FILE MESSAGE     (with tabs between) the program reported a fault
 *     left COUNT               the program ended with COUNT inputs not requested
 *
 * Every function is weak: a definition in the program overrides it.
 *
 * With BYWAY_KLEE_RUNTEST the library behaves as KLEE's libkleeRuntest where the program
 * leaves the test (klee_runtest.h). */

#define _GNU_SOURCE

#include <byway.h>
#include <errno.h>
#include <fcntl.h>
#include <klee/klee.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "nondet.h"

#define API __attribute__((__weak__))
#define EXIT_DIVERGED 119

/* --- Messages of the library ------------------------------------------------- */

static char status_path[4096];

static void say(const char *text)
{
	fflush(stdout);
	dprintf(STDERR_FILENO, "byway: %s\n", text);
}

/* Messages for the user of Byway are not output of the program, which a harness
 * compares. */
static void remark(const char *text)
{
	if (!*status_path) say(text);
}

static void tell(const char *format, ...)
{
	if (!*status_path) return;
	char line[4096];
	va_list arguments;
	va_start(arguments, format);
	int length = vsnprintf(line, sizeof line - 1, format, arguments);
	va_end(arguments);
	if (length < 0) return;
	if ((size_t)length > sizeof line - 2) length = sizeof line - 2;
	for (int i = 0; i < length; i++) {
		if (line[i] == '\n') line[i] = ' ';
	}
	line[length++] = '\n';
	int file = open(status_path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	if (file < 0) return;
	/* Without a status line, a harness relies on the exit code. */
	if (write(file, line, (size_t)length) < 0) perror("byway: the replay's status");
	close(file);
}

static _Noreturn void stop(const char *what, const char *format, ...)
{
	char why[2048];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(why, sizeof why, format, arguments);
	va_end(arguments);
#ifdef BYWAY_KLEE_RUNTEST
	fprintf(stderr, "KLEE-RUNTIME: unable to open .ktest file: %s\n", why);
	exit(1);
#endif
	char text[2200];
	snprintf(text, sizeof text, "replay: %s", why);
	say(text);
	tell("%s %s", what, why);
	_exit(EXIT_DIVERGED);
}

#define diverge(...) stop("diverged", __VA_ARGS__)

/* --- The test ---------------------------------------------------------------- */

/* A .ktest file: "KTEST", the version, a list of arguments, two numbers from
 * version 2 on, a list of objects; all numbers big-endian. */
struct piece {
	const unsigned char *bytes;
	size_t size;
};

static struct {
	const char *path;
	struct piece objects; /* all objects, each a name and its bytes */
	struct piece rest;    /* those not requested yet */
	uint32_t left;        /* their number */
	int open;
} test;

static _Noreturn void damaged(void)
{
	stop("unable", "'%s' is not a test, or damaged", test.path);
}

static struct piece cut(struct piece *from, size_t size)
{
	if (from->size < size) damaged();
	struct piece front = { from->bytes, size };
	from->bytes += size;
	from->size -= size;
	return front;
}

static uint32_t cut_number(struct piece *from)
{
	const unsigned char *b = cut(from, 4).bytes;
	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static struct piece cut_string(struct piece *from)
{
	return cut(from, cut_number(from));
}

/* Skips inputs that the program does not request. They count as consumed, so that their
 * names are in use. */
static void skip(unsigned long count)
{
	for (; count && test.left; count--, test.left--) {
		cut_string(&test.rest);
		cut_string(&test.rest);
	}
}

static void open_test(void)
{
	struct stat status;
	int file = open(test.path, O_RDONLY | O_CLOEXEC);
	if (file < 0 || fstat(file, &status) != 0)
		stop("unable", "cannot read '%s': %s", test.path, strerror(errno));
	struct piece rest = { 0, (size_t)status.st_size };
	if (rest.size == 0) damaged();
	void *bytes = mmap(0, rest.size, PROT_READ, MAP_PRIVATE, file, 0);
	if (bytes == MAP_FAILED)
		stop("unable", "cannot read '%s': %s", test.path, strerror(errno));
	close(file);
	rest.bytes = bytes;

	struct piece magic = cut(&rest, 5);
	if (memcmp(magic.bytes, "KTEST", 5) && memcmp(magic.bytes, "BOUT\n", 5)) damaged();
	uint32_t version = cut_number(&rest);
	if (version < 1 || version > 3) damaged();
	for (uint32_t args = cut_number(&rest); args; args--) cut_string(&rest);
	if (version >= 2) cut(&rest, 8);
	test.left = cut_number(&rest);
	test.objects = test.rest = rest;
	const char *told = getenv("BYWAY_TEST_SKIP");
	if (told) skip(strtoul(told, 0, 10));
	test.open = 1;
}

/* Early, so that the program does not see our variables in its environment. */
__attribute__((__constructor__(101))) static void begin(void)
{
	static char path[4096];
	const char *name = getenv("BYWAY_TEST");
	if (!name) name = getenv("KTEST_FILE");
	if (name) {
		snprintf(path, sizeof path, "%s", name);
		test.path = path;
	}
	const char *status = getenv("BYWAY_REPLAY_STATUS");
	if (status) snprintf(status_path, sizeof status_path, "%s", status);
	if (test.path) open_test();
	static const char *const ours[] = {
		"BYWAY_TEST", "BYWAY_TEST_SKIP", "KTEST_FILE", "BYWAY_REPLAY_STATUS",
		"ASAN_OPTIONS", "UBSAN_OPTIONS",
	};
	for (size_t i = 0; status && i < sizeof ours / sizeof *ours; i++) unsetenv(ours[i]);
}

/* KLEE's file system model adds an object that no program requests. */
static int is_skipped(struct piece name)
{
	return name.size == 13 && !memcmp(name.bytes, "model_version", 13);
}

__attribute__((__destructor__(101))) static void end(void)
{
	struct piece rest = test.rest;
	uint32_t left = 0;
	for (uint32_t i = test.left; i; i--) {
		left += !is_skipped(cut_string(&rest));
		cut_string(&rest);
	}
	if (left) tell("left %u", (unsigned)left);
}

/* --- Inputs ------------------------------------------------------------------ */

static int is_called(struct piece name, const char *base, size_t length, unsigned long number)
{
	char suffix[24] = "";
	if (number) snprintf(suffix, sizeof suffix, "_%lu", number);
	return name.size == length + strlen(suffix) && !memcmp(name.bytes, base, length)
		&& !memcmp(name.bytes + length, suffix, strlen(suffix));
}

/* Whether a consumed object has this name. */
static int is_taken(const char *base, size_t length, unsigned long number)
{
	struct piece had = { test.objects.bytes, test.objects.size - test.rest.size };
	while (had.size) {
		struct piece name = cut_string(&had);
		cut_string(&had);
		if (is_called(name, base, length, number)) return 1;
	}
	return 0;
}

/* Whether the next object has the name that a path gives its next object of that name:
 * the name itself; if that is in use, the name and the first free number. KLEE repeats
 * the name instead. */
static int is_next(struct piece name, const char *base, size_t length)
{
	if (is_called(name, base, length, 0)) return 1;
	if (!is_taken(base, length, 0)) return 0;
	if (name.size < length + 2 || name.size > length + 20 || name.bytes[length] != '_') return 0;
	unsigned long number = 0;
	for (size_t i = length + 1; i < name.size; i++) {
		if (name.bytes[i] < '0' || name.bytes[i] > '9') return 0;
		number = number * 10 + (name.bytes[i] - '0');
	}
	return number && is_called(name, base, length, number)
		&& !is_taken(base, length, number)
		&& (number == 1 || is_taken(base, length, number - 1));
}

#ifdef BYWAY_KLEE_RUNTEST
#include "klee_runtest.h"
#else
static void take(void *object, size_t size, const char *name)
{
	if (!name) name = "unnamed";
	if (!test.open) stop("unable", "BYWAY_TEST names no test to take '%s' from", name);
	struct piece rest = test.rest;
	struct piece called;
	for (;;) {
		if (!test.left)
			diverge("the program asks for '%s', but the test holds no more inputs", name);
		called = cut_string(&rest);
		if (is_next(called, name, strlen(name)) || !is_skipped(called)) break;
		cut_string(&rest);
		test.rest = rest;
		test.left--;
	}
	struct piece bytes = cut_string(&rest);
	if (!is_next(called, name, strlen(name)))
		diverge("the program asks for '%s', but the next input of the test is '%.*s'", name,
			(int)called.size, (const char *)called.bytes);
	if (bytes.size != size)
		diverge("the program asks for %zu bytes for '%.*s', but the test has %zu", size,
			(int)called.size, (const char *)called.bytes, bytes.size);
	test.rest = rest;
	test.left--;
	memcpy(object, bytes.bytes, size);
}

static void assume(int holds, const char *what)
{
	if (!holds) diverge("the test breaks %s", what);
}
#endif

#ifdef BYWAY_WRAP_ALLOCATIONS
#include "allocations.h"
#endif

static _Noreturn void report(const char *message, const char *file, int line)
{
	if (!message) message = "";
	char text[2048];
	if (file) snprintf(text, sizeof text, "%s:%d: reported: %s", file, line, message);
	else snprintf(text, sizeof text, "reported: %s", message);
	say(text);
	tell("reported\t%d\t%s\t%s", line, file ? file : "", message);
	abort();
}

static void say_value(const char *text, unsigned long value)
{
	char line[2048];
	snprintf(line, sizeof line, "%s: %lu (%#lx)", text ? text : "", value, value);
	remark(line);
}

/* --- byway.h ----------------------------------------------------------------- */

API void byway_make_symbolic(void *object, size_t size, const char *name)
{
	take(object, size, name);
}

API int byway_int(const char *name)
{
	int value;
	take(&value, sizeof value, name);
	return value;
}

API int byway_range(int begin, int end, const char *name)
{
	if (begin >= end) report("invalid range", 0, 0);
	if (end - 1 == begin) return begin;
	int value = byway_int(name);
	assume(begin <= value && value < end, "the range it was made for");
	return value;
}

API size_t byway_choose(size_t count, const char *name)
{
	size_t value;
	take(&value, sizeof value, name);
	assume(value < count, "a choice between fewer");
	return value;
}

API void byway_assume(byway_condition condition)
{
	assume(condition, "an assumption");
}

API void byway_prefer(byway_condition condition)
{
	(void)condition;
}

static _Noreturn void exclude(int code)
{
	tell("excluded");
	exit(code);
}

API void byway_exclude(void)
{
	exclude(0);
}

API void byway_report(const char *message)
{
	report(message, 0, 0);
}

/* The library is compiled with the address sanitizer where the program is. */
API void byway_check_access(const void *pointer, size_t size)
{
	const volatile unsigned char *bytes = pointer;
	for (size_t i = 0; i < size; i++) (void)bytes[i];
}

API int byway_is_symbolic(unsigned long value)
{
	(void)value;
	return 0;
}

API unsigned long byway_value(unsigned long value)
{
	return value;
}

/* Object sizes are known only with the address sanitizer. */
__attribute__((__weak__)) const char *__asan_locate_address(void *address, char *name,
	size_t name_size, void **region, size_t *region_size);

API size_t byway_object_size(const void *pointer)
{
	char name[8];
	void *region = 0;
	size_t size = 0;
	if (__asan_locate_address)
		__asan_locate_address((void *)pointer, name, sizeof name, &region, &size);
	if (!region) stop("unable", "the size of an object is not known in a native run");
	return size;
}

API int byway_is_replay(void)
{
	return 1;
}

API void byway_say(const char *text)
{
	remark(text ? text : "");
}

API void byway_print_term(const char *text, unsigned long value)
{
	say_value(text, value);
}

API void byway_print_range(const char *text, unsigned long value)
{
	say_value(text, value);
}

API void byway_forking(int on)
{
	(void)on;
}

/* Page by page, because two objects may share one. */
API void byway_fixed_object(void *address, size_t size)
{
	static struct { uintptr_t from, to; } mapped[64];
	static unsigned count;
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t from = (uintptr_t)address / page * page;
	uintptr_t to = ((uintptr_t)address + size + page - 1) / page * page;
	for (uintptr_t at = from; at < to; at += page) {
		int ours = 0;
		for (unsigned i = 0; i < count; i++) ours |= mapped[i].from <= at && at < mapped[i].to;
		if (ours) continue;
		void *got = mmap((void *)at, page, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
		if (got != (void *)at)
			stop("unable", "there can be no object at %p in a native run", address);
	}
	if (count == sizeof mapped / sizeof *mapped) stop("unable", "too many fixed objects");
	mapped[count].from = from;
	mapped[count++].to = to;
}

API void byway_unsupported(const char *what)
{
	stop("unsupported", "%s", what ? what : "");
}

API void byway_warn(const char *what)
{
	remark(what ? what : "");
}

/* --- klee/klee.h ------------------------------------------------------------- */

API void klee_make_symbolic(void *object, size_t size, const char *name)
{
	take(object, size, name);
}

API int klee_int(const char *name)
{
	return byway_int(name);
}

#ifndef BYWAY_KLEE_RUNTEST
API int klee_range(int begin, int end, const char *name)
{
	return byway_range(begin, end, name);
}

API uintptr_t klee_choose(uintptr_t count)
{
	return byway_choose(count, "klee_choose");
}
#endif

API void klee_assume(uintptr_t condition)
{
	assume(condition != 0, "an assumption");
}

API void klee_prefer_cex(void *object, uintptr_t condition)
{
	(void)object, (void)condition;
}

API void klee_posix_prefer_cex(void *object, uintptr_t condition)
{
	(void)object, (void)condition;
}

API void klee_silent_exit(int code)
{
	exclude(code);
}

API void klee_abort(void)
{
	abort();
}

API void klee_assert_fail(const char *expression, const char *file, unsigned line,
	const char *function)
{
	fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
	abort();
}

API void klee_report_error(const char *file, int line, const char *message, const char *suffix)
{
	(void)suffix;
	report(message, file, line);
}

#define VALUE(type, suffix)                                                                    \
	API type klee_get_value##suffix(type value)                                            \
	{                                                                                      \
		return value;                                                                  \
	}

VALUE(float, f)
VALUE(double, d)
VALUE(long, l)
VALUE(long long, ll)
VALUE(int32_t, _i32)
VALUE(int64_t, _i64)

API unsigned klee_is_symbolic(uintptr_t value)
{
	(void)value;
	return 0;
}

API size_t klee_get_obj_size(void *object)
{
	return byway_object_size(object);
}

API void klee_check_memory_access(const void *pointer, size_t size)
{
	byway_check_access(pointer, size);
}

API unsigned klee_is_replay(void)
{
	return 1;
}

API int klee_get_errno(void)
{
	return errno;
}

API void klee_warning(const char *message)
{
	byway_say(message);
}

API void klee_warning_once(const char *message)
{
	static const char *said[64];
	for (unsigned i = 0; i < sizeof said / sizeof *said; i++) {
		if (said[i] == message) return;
		if (!said[i]) {
			said[i] = message;
			break;
		}
	}
	byway_say(message);
}

API void klee_print_expr(const char *message, ...)
{
	va_list arguments;
	va_start(arguments, message);
	say_value(message, va_arg(arguments, unsigned long));
	va_end(arguments);
}

API void klee_print_range(const char *name, int value)
{
	say_value(name, (unsigned long)value);
}

API void klee_stack_trace(void)
{
}

API void klee_set_forking(unsigned enable)
{
	(void)enable;
}

API void klee_define_fixed_object(void *address, size_t size)
{
	byway_fixed_object(address, size);
}

API void klee_open_merge(void)
{
}

API void klee_close_merge(void)
{
}

API void klee_mark_global(void *object)
{
	(void)object;
}

API void klee_alias_function(const char *name, const char *stands_for)
{
	(void)name, (void)stands_for;
}

API void klee_alias_function_undo(const char *name)
{
	(void)name;
}

/* --- The software verification competition ----------------------------------- */

#define NONDET(type, name)                                                                     \
	API type __VERIFIER_nondet_##name(void);                                               \
	API type __VERIFIER_nondet_##name(void)                                                \
	{                                                                                      \
		type value;                                                                    \
		take(&value, sizeof value, #name);                                             \
		return value;                                                                  \
	}

NONDET_TYPES(NONDET)

API _Bool __VERIFIER_nondet_bool(void);
API _Bool __VERIFIER_nondet_bool(void)
{
	unsigned char value;
	take(&value, sizeof value, "bool");
	assume(value <= 1, "what a truth value can be");
	return value;
}

API void __VERIFIER_nondet_memory(void *object, size_t size);
API void __VERIFIER_nondet_memory(void *object, size_t size)
{
	take(object, size, "memory");
}

API void __VERIFIER_assume(int condition);
API void __VERIFIER_assume(int condition)
{
	assume(condition, "an assumption");
}

API _Noreturn void __VERIFIER_error(void);
API _Noreturn void __VERIFIER_error(void)
{
	report("__VERIFIER_error was called", 0, 0);
}

API _Noreturn void reach_error(void);
API _Noreturn void reach_error(void)
{
	report("reach_error was called", 0, 0);
}

API void __VERIFIER_atomic_begin(void);
API void __VERIFIER_atomic_begin(void)
{
}

API void __VERIFIER_atomic_end(void);
API void __VERIFIER_atomic_end(void)
{
}

/* --- Functions that musl has and glibc lacks --------------------------------- */

/* Bitcode compiled with musl's headers inspects a stream's buffer with these. */
#ifdef __GLIBC__

API size_t __freadahead(FILE *stream);
API size_t __freadahead(FILE *stream)
{
	return (size_t)(stream->_IO_read_end - stream->_IO_read_ptr);
}

API const char *__freadptr(FILE *stream, size_t *size);
API const char *__freadptr(FILE *stream, size_t *size)
{
	*size = __freadahead(stream);
	return *size ? stream->_IO_read_ptr : 0;
}

API void __freadptrinc(FILE *stream, size_t count);
API void __freadptrinc(FILE *stream, size_t count)
{
	stream->_IO_read_ptr += count;
}

#endif
